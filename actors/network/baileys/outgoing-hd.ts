/** Composes the large copy of an image of ours, in the form in which phones send it (`kinds/hd-copy.ts` reads it). */
import { proto } from '@whiskeysockets/baileys'
import { randomBuffer } from '../../../lib/random.js'
import type { PreparedFile } from '../../../schemas/send-content.js'
import type { MessageForActor } from '../../../schemas/stored-message.js'
import type { UploadedMedia } from '../port/media.js'
import type { ComposedHdCopy } from '../port/messages.js'
import { replaceFile } from './kinds/hd-copy.js'
import { composeMediaPart } from './media/parts.js'
import { networkKey, outgoing } from './outgoing.js'

const { HD_IMAGE_DUAL_UPLOAD } = proto.MessageAssociation.AssociationType
const { HD_IMAGE_CHILD } = proto.ContextInfo.PairedMediaType

/** Returns null if the small copy is no image, or has this file already. */
export function composeHdCopy(
  small: MessageForActor,
  file: PreparedFile<'image'>,
  uploaded: UploadedMedia,
): ComposedHdCopy | null {
  const image = composeMediaPart({ ...file, uploaded }, { contextInfo: { pairedMediaType: HD_IMAGE_CHILD } })
  const messageAssociation = { associationType: HD_IMAGE_DUAL_UPLOAD, parentMessageKey: networkKey(small) }
  const message: proto.IMessage = {
    associatedChildMessage: { message: image },
    messageContextInfo: { messageSecret: randomBuffer(32), messageAssociation },
  }
  const after = small.proto === null ? null : replaceFile(small.proto, message)
  return after === null || after === 'same' ? null : { message: outgoing(message), after }
}
