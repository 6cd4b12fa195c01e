/** Answers requests of a companion to the phone itself. */
import { proto, type WAPatchName } from '@whiskeysockets/baileys'
import type { Device } from '../network/model.js'
import type { Node } from '../wire/nodes.js'
import { answerHistoryRequest } from './history-requests.js'
import { sendPeer } from './outbox.js'
import type { Phone } from './phone.js'
import { answerResend } from './resend-answers.js'

const { COMPANION_SYNCD_SNAPSHOT_FATAL_RECOVERY, HISTORY_SYNC_ON_DEMAND, PLACEHOLDER_MESSAGE_RESEND } =
  proto.Message.PeerDataOperationRequestType

/** Only companions of its own account are answered. */
export async function answerPeer(
  phone: Phone,
  author: Device,
  stanza: Node,
  message: proto.Message | undefined,
): Promise<void> {
  // The library wraps it as it does a copy for the own phone.
  const inner = message?.deviceSentMessage?.message ?? message
  const request = inner?.protocolMessage?.peerDataOperationRequestMessage
  if (author.account === phone.account && request?.peerDataOperationRequestType === PLACEHOLDER_MESSAGE_RESEND) {
    await answerResend(phone, author, stanza, request)
    return
  }
  if (author.account === phone.account && request?.peerDataOperationRequestType === HISTORY_SYNC_ON_DEMAND) {
    await answerHistoryRequest(phone, author, stanza.attrs.id ?? '', request.historySyncOnDemandRequest ?? {})
    return
  }
  const collection = request?.syncdCollectionFatalRecoveryRequest?.collectionName
  if (author.account !== phone.account || !collection) return
  if (request.peerDataOperationRequestType !== COMPANION_SYNCD_SNAPSHOT_FATAL_RECOVERY) return
  const collectionSnapshot = await phone.appState.readCopy(collection as WAPatchName)
  await sendPeer(phone, author, {
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
      peerDataOperationRequestResponseMessage: {
        peerDataOperationRequestType: COMPANION_SYNCD_SNAPSHOT_FATAL_RECOVERY,
        stanzaId: stanza.attrs.id ?? '',
        peerDataOperationResult: [{ syncdSnapshotFatalRecoveryResponse: { collectionSnapshot, isCompressed: true } }],
      },
    },
  })
}
