/** Groups of the account. Types only. */

import type { GroupChange, GroupInfo } from '../../../schemas/group-info.js'
import type { Jid } from '../../../schemas/ids.js'
import type { ChatAddress } from '../../../schemas/jid.js'

export interface GroupNotice {
  readonly group: Jid
  readonly sender: ChatAddress | null
  readonly timestampMs: number
  readonly changes: readonly GroupPatch[]
}

export interface GroupPatch {
  /** The network's word: `subject`, `description`, `announcement`, `locked`, `add`, `remove`, `promote`, … */
  readonly what: string
  readonly people?: readonly ChatAddress[]
}

/** Result of a change for one person. */
export interface MemberChange {
  readonly jid: Jid
  /** The network's code; 200 means done. */
  readonly code: number
  /** Invitation for a person who may not be added: it is sent to them. */
  readonly invitation?: { readonly code: string; readonly expiresSeconds: number }
}

/** Invitation for one person, as a message carries it. */
export interface GroupInvitation {
  readonly group: Jid
  readonly code: string
  /** Seconds since 1970. */
  readonly expiresSeconds: number
  /** Who sent it. */
  readonly admin: Jid
}

/** If the network refuses a request, throws GatewayError GROUP_REFUSED with the network's code as `provider_code`. */
export interface GroupNetwork {
  /** Returns the known group, or fetches it when it is not known. @throws GatewayError GROUP_NOT_FOUND */
  get(group: Jid): Promise<GroupInfo>
  /** Fetches the present state from the network. @throws GatewayError GROUP_NOT_FOUND */
  fetch(group: Jid): Promise<GroupInfo>
  /** Fetches the present state of all groups of the account. */
  fetchAll(): Promise<readonly GroupInfo[]>
  /** Returns the group of an invitation code. @throws GatewayError INVALID_INVITE */
  invitation(code: string): Promise<GroupInfo>
  /** Joins a group. Returns false when an admin of the group must approve first. */
  join(code: string): Promise<boolean>
  /** Accepts an invitation that an admin sent to this account alone. Returns false when an admin of the group must approve first. */
  accept(invitation: GroupInvitation): Promise<boolean>
  create(name: string, people: readonly Jid[]): Promise<GroupInfo>
  /** Creates a community. The network adds the announcement group. */
  createCommunity(name: string): Promise<GroupInfo>
  /** Adds a group to a community, or removes it. */
  link(community: Jid, group: Jid, isLinked: boolean): Promise<void>
  leave(group: Jid): Promise<void>
  inviteCode(group: Jid, isReset: boolean): Promise<string>
  /** Returns the people who requested to join. */
  requests(group: Jid): Promise<readonly Jid[]>
  /** Returns what became of each named person. */
  change(group: Jid, change: GroupChange): Promise<readonly MemberChange[]>
}
