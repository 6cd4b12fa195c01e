/** Reads and writes by one operation each, with the token of an instance, or of an administrator. */
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Credential, call, type Given, type Name } from '../api/client.js'
import type { Operations } from '../api/generated.js'

/** Owner of what is read: an instance, or everything. */
export interface Scope {
  /** Id of the instance; `all` for an administrator. */
  readonly id: string
  readonly credential: Credential | undefined
}

interface ReadOptions {
  /** True: nothing is read yet. */
  readonly isOff?: boolean
}

/** Reads by an operation. What is shown stays until the answer to a changed question has come. */
export function useRead<One extends Name>(
  { id, credential }: Scope,
  name: One,
  given: Given<One>,
  { isOff = false }: ReadOptions = {},
) {
  return useQuery<Operations[One]['reply']>({
    queryKey: [name, id, given],
    enabled: credential !== undefined && !isOff,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => call(name, requirePass(credential), { ...given, signal }),
  })
}

/** Calls an operation that changes something, and reads again what it `touches`. */
export function useWrite<One extends Name>(
  { id, credential }: Scope,
  name: One,
  touches: readonly (Name | 'status')[] = [],
) {
  const client = useQueryClient()
  return useMutation<Operations[One]['reply'], Error, Given<One>>({
    mutationFn: (given) => call(name, requirePass(credential), given),
    onSettled: () => Promise.all(touches.map((one) => client.invalidateQueries({ queryKey: [one, id] }))),
  })
}

/** @throws Error while there is no pass */
export function requirePass(credential: Credential | undefined): Credential {
  if (credential === undefined) throw new Error('There is no pass yet.')
  return credential
}
