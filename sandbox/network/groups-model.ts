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
}
