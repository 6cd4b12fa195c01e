/** All that the interface states of operations, and what shows it; `docs/reference/specification-coverage.md` is made from this list. */
import { callReject, instances, leadsAndChats, otherOperations } from './accounts.js'
import type { Area } from './area.js'
import { messageOperations, messageRecord, presenceOperation, react } from './messages.js'
import { commonFields, media, menus, placeholdersInTexts, sending } from './sending.js'
import { authentication, errorsAndInput, events } from './service.js'

export const areas: readonly Area[] = [
  commonFields,
  placeholdersInTexts,
  sending,
  menus,
  media,
  messageRecord,
  messageOperations,
  react,
  presenceOperation,
  callReject,
  instances,
  leadsAndChats,
  events,
  authentication,
  errorsAndInput,
  otherOperations,
]
