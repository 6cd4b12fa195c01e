import type { ErrorCode } from '../../../schemas/errors.js'

/** Error codes of edits and deletions. */
export const revisionErrors: readonly ErrorCode[] = [
  'MISSING_ID',
  'MESSAGE_NOT_FOUND',
  'NOT_OWN_MESSAGE',
  'NOT_EDITABLE',
  'MESSAGE_NOT_SENT',
  'INSTANCE_NOT_FOUND',
  'INSTANCE_NOT_CONNECTED',
  'INSTANCE_MOVING',
  'SEND_REFUSED',
  'OUTCOME_UNKNOWN',
]
