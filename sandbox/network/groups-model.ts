import type { Account } from './model.js'

export interface Group {
  /** `…@g.us` */
  jid: string
  subject: string
  owner: Account
  createdSeconds: number
  addressing: 'pn' | 'lid'
  members: Map<Account, 'superadmin' | 'admin' | 'member'>
  announcement: boolean
  locked: boolean
  description: string
  /** Of the description as it is; empty before the first. */
  descriptionId: string
  subjectBy: Account
  subjectSeconds: number
  ephemeralSeconds: number
  memberAddMode: 'admin_add' | 'all_member_add'
  inviteCode: string
  /** Invitations for people whom nobody may add, by their code. */
  personalInvites: Map<string, { readonly account: Account; readonly expiresSeconds: number }>
  /** JPEG; undefined when there is none. */
  picture: Buffer | undefined
  /** Address of the picture on the media host. */
  pictureUrl?: string | undefined
  /** Admins are asked before one comes in by an invitation. */
  approval: boolean
  /** Accounts that requested to join. */
  requests: Set<Account>
  /** A community, which is a group of groups. */
  isParent: boolean
  /** The community that it is in. */
  parent: Group | undefined
  /** Where admins of its community write to all. */
  isDefault: boolean
  /** Grows with each change of the members. */
  membersVersion: number
}
