/** The view of the list of instances, as its address has it. */
import type { FindInstancesRequest, InstanceFilter } from '../../../../schemas/generated.js'

export const STATUSES = ['connected', 'connecting', 'disconnected'] as const
export type Status = (typeof STATUSES)[number]

export const SORTS = ['-created', '+created', '+name', '-name'] as const
export type Sort = NonNullable<FindInstancesRequest['sort']>

export const COLUMNS = ['number', 'status', 'since', 'waiting', 'node', 'activity', 'tags', 'notes'] as const
export type Column = (typeof COLUMNS)[number]
const SHOWN_AT_FIRST: readonly Column[] = ['number', 'status', 'since', 'waiting', 'node', 'activity']

export const CAUSES = [
  'restart',
  'lost',
  'unreachable',
  'proxyFailed',
  'dead',
  'unavailable',
  'badSession',
  'replaced',
  'loggedOut',
  'forbidden',
  'temporarilyBanned',
  'versionRefused',
  'clientRefused',
  'loginNotFound',
  'loginRefused',
  'multideviceMismatch',
  'pairingExpired',
  'pairingRefused',
  'passkeyRequired',
  'passkeyExpired',
  'passkeyFailed',
  'instanceLimit',
  'storeFailed',
  'programError',
  'ownershipLost',
  'stopped',
  'asked',
] as const satisfies readonly NonNullable<InstanceFilter['cause']>[number][]
export type Cause = (typeof CAUSES)[number]

export interface InstancesSearch {
  readonly search?: string
  readonly status?: Status
  /** Only instances that are not connected although they should be. */
  readonly missing?: true
  readonly cause?: Cause
  readonly node?: string
  readonly tag?: string
  readonly sort?: Sort
  /** Names of columns, separated by commas. */
  readonly columns?: string
}

const TEXT_MAX = 100

/** Reads the address. What it does not understand is left out. */
export function readInstancesSearch(given: Readonly<Record<string, unknown>>): InstancesSearch {
  const text = (name: 'search' | 'node' | 'tag' | 'columns') => {
    const value = given[name]
    const isText = (typeof value === 'string' && value !== '') || typeof value === 'number'
    return isText ? { [name]: String(value).slice(0, TEXT_MAX) } : {}
  }
  const oneOf = <One extends string>(name: string, known: readonly One[]) =>
    known.includes(given[name] as One) ? { [name]: given[name] as One } : {}
  return {
    ...text('search'),
    ...oneOf('status', STATUSES),
    ...(given.missing === true ? { missing: true } : {}),
    ...oneOf('cause', CAUSES),
    ...text('node'),
    ...text('tag'),
    ...oneOf('sort', SORTS),
    ...text('columns'),
  }
}

export function makeInstanceFilter({ search, status, missing, cause, node, tag }: InstancesSearch): InstanceFilter {
  return {
    ...(search === undefined ? {} : { search }),
    ...(missing === true ? { wanted: true, status: ['connecting', 'disconnected'] } : {}),
    ...(status === undefined ? {} : { status: [status] }),
    ...(cause === undefined ? {} : { cause: [cause] }),
    ...(node === undefined ? {} : { node }),
    ...(tag === undefined ? {} : { tags: [tag] }),
  }
}

export function isFiltered(search: InstancesSearch): boolean {
  return Object.keys(makeInstanceFilter(search)).length > 0
}

export function readColumns({ columns }: InstancesSearch): readonly Column[] {
  if (columns === undefined) return SHOWN_AT_FIRST
  const wanted = columns.split(',')
  return COLUMNS.filter((column) => wanted.includes(column))
}
