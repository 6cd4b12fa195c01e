import type { ErrorCode } from '../../../schemas/errors.js'

/** The codes that an edit and a deletion may answer. */
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
