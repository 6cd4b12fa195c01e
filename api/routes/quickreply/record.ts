import type { QuickReply } from '../../../schemas/generated.js'
import type { QuickReplyRow } from '../../../schemas/ports/records.js'

export function quickReplyRecord(row: QuickReplyRow, owner: string): QuickReply {
  const { id, isOfPhone, shortcut, type, text, file, docName, created, updated } = row
  return {
    id,
    shortCut: shortcut,
    type: type as QuickReply['type'],
    text,
    file,
    docName,
    onWhatsApp: isOfPhone,
    owner,
    created: created.toISOString(),
    updated: updated.toISOString(),
  }
}
