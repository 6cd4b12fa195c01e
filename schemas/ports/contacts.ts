/** Types only. */
import type { InstanceId, Jid } from '../ids.js'

export type ContactScope = 'address_book' | 'outside_address_book' | 'all'

export interface ContactRecord {
  readonly jid: string
  readonly contact_name: string
  readonly contact_FirstName: string
  readonly lid: string
  readonly push_name: string
  /** Without `@`; empty when none is known. */
  readonly username: string
}

export interface ContactQuery {
  readonly scope: ContactScope
  /** Part of a name, or digits of a number. Empty: all. */
  readonly search: string
  /** ISO code of the country whose national numbers are taken; empty or absent: none are. */
  readonly country?: string
  readonly limit: number
  readonly offset: number
}

export interface PersonAddresses {
  readonly lid: Jid
  readonly pn: Jid
}

export interface ContactDirectory {
  /** In the order of the JIDs. `total`: of the scope and the search; `inBook`: of the address book. */
  page(
    instance: InstanceId,
    query: ContactQuery,
  ): Promise<{ contacts: readonly ContactRecord[]; total: number; inBook: number }>
  /** All, some thousand at a time. */
  all(instance: InstanceId, scope: ContactScope): AsyncIterable<readonly ContactRecord[]>
  /** Both addresses of a person, by one of them; null if only that one is known. */
  mapping(instance: InstanceId, jid: string): Promise<PersonAddresses | null>
  /** People of whom both are known, in the order of their LIDs. */
  lids(
    instance: InstanceId,
    page: { readonly limit: number; readonly after: string },
  ): Promise<{ people: readonly PersonAddresses[]; hasMore: boolean }>
}
