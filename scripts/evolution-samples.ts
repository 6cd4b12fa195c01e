/** Bodies of events as Evolution API 2.3.7 sends them, by their fields and types, events of ours from which they are made, and what differs. */

type Json = Record<string, unknown>

export interface EventSample {
  /** As bodies name it. */
  readonly event: string
  /** `data` of the original. */
  readonly theirs: unknown
  /** Our event, without its envelope. */
  readonly ours: Json
  /** Fields that differ, by their path in `data`, each with its reason. */
  readonly differs?: Readonly<Record<string, string>>
}

const OWN = '5511999990001'
const BEN = '5511999990002@s.whatsapp.net'
const GROUP = '120363000000000001@g.us'
const ID = '3EB0C767D097B7C7C030'

const record = {
  id: 'r1234567',
  messageid: ID,
  chatid: BEN,
  chatlid: '',
  fromMe: false,
  isGroup: false,
  messageType: 'text',
  mediaType: '',
  type: 'text',
  messageTimestamp: 1_795_446_256_000,
  sender: BEN,
  sender_pn: BEN,
  sender_lid: '',
  senderName: 'Ben',
  source: 'android',
  status: 'delivered',
  text: 'hello',
  content: 'hello',
  fileURL: '',
  wasSentByApi: false,
}
const key = { remoteJid: BEN, fromMe: false, id: ID }
const message = {
  key: { ...key, addressingMode: 'pn' },
  pushName: 'Ben',
  status: 'DELIVERY_ACK',
  message: { conversation: 'hello' },
  contextInfo: null,
  messageType: 'conversation',
  messageTimestamp: 1_795_446_256,
  instanceId: '1b2c',
  source: 'android',
}
const update = {
  keyId: ID,
  remoteJid: BEN,
  fromMe: true,
  participant: BEN,
  status: 'READ',
  instanceId: '1b2c',
  messageId: 'cm1',
}
const receipt = {
  MessageIDs: [ID],
  Chat: BEN,
  Sender: BEN,
  sender_pn: BEN,
  IsFromMe: false,
  IsGroup: false,
  Timestamp: 1_795_446_260,
}

export const eventSamples: readonly EventSample[] = [
  { event: 'messages.upsert', theirs: message, ours: { EventType: 'messages', message: record } },
  {
    event: 'messages.upsert',
    theirs: {
      ...message,
      message: {
        imageMessage: {
          url: 'https://mmg.whatsapp.net/x',
          mimetype: 'image/jpeg',
          caption: 'look',
          fileLength: { low: 9, high: 0, unsigned: true },
        },
        mediaUrl: 'https://s3/x',
        base64: 'AAAA',
      },
      messageType: 'imageMessage',
    },
    ours: {
      EventType: 'messages',
      message: {
        ...record,
        messageType: 'image',
        type: 'media',
        mediaType: 'image',
        text: 'look',
        fileURL: 'https://gateway/media/x',
        content: { url: 'https://mmg.whatsapp.net/x', mimetype: 'image/jpeg', fileLength: 9 },
      },
    },
    differs: {
      'message.imageMessage.fileLength': 'Long numbers are numbers, as in releases before 2.3.6; clients take both.',
      'message.base64': 'Only with `base64`, and up to 5 MiB.',
    },
  },
  {
    event: 'messages.upsert',
    theirs: {
      ...message,
      key: { remoteJid: GROUP, fromMe: false, id: ID, participant: BEN, participantAlt: '1@lid', addressingMode: 'pn' },
    },
    ours: {
      EventType: 'messages',
      message: { ...record, chatid: GROUP, isGroup: true, sender: '1@lid', sender_lid: '1@lid' },
    },
  },
  {
    event: 'messages.upsert',
    theirs: {
      ...message,
      message: { extendedTextMessage: { text: 'hello' } },
      contextInfo: { stanzaId: 'X', participant: BEN, quotedMessage: { conversation: 'before' } },
    },
    ours: {
      EventType: 'messages',
      message: {
        ...record,
        content: {
          text: 'hello',
          contextInfo: { stanzaId: 'X', participant: BEN, quotedMessage: { conversation: 'before' } },
        },
      },
    },
    differs: {
      'message.extendedTextMessage': 'A text is always `conversation`, as since 2.2.0.',
      'message.conversation': 'A text is always `conversation`, as since 2.2.0.',
    },
  },
  {
    event: 'send.message',
    theirs: { ...message, key: { ...message.key, fromMe: true }, status: 'PENDING' },
    ours: { EventType: 'messages', message: { ...record, fromMe: true, wasSentByApi: true, status: 'pending' } },
  },
  {
    event: 'messages.update',
    theirs: update,
    ours: { EventType: 'messages_update', type: 'ReadReceipt', state: 'Read', event: receipt },
    differs: { participant: 'Only in groups: in a chat of two it says nothing.' },
  },
  {
    event: 'messages.edited',
    theirs: { key, type: 'MESSAGE_EDIT', editedMessage: { conversation: 'b' }, timestampMs: '1795446260000' },
    ours: { EventType: 'messages_update', state: 'Edited', event: { ...receipt, Text: 'b' } },
  },
  {
    event: 'messages.delete',
    theirs: { ...key, status: 'DELETED' },
    ours: { EventType: 'messages_update', state: 'Deleted', event: receipt },
  },
  {
    event: 'messages.set',
    theirs: [message],
    ours: { EventType: 'history', messages: [record], batchNumber: 1, batchTotal: 1 },
  },
  {
    event: 'connection.update',
    theirs: {
      instance: 'shop',
      wuid: BEN,
      profileName: 'Shop',
      profilePictureUrl: 'https://x',
      state: 'open',
      statusReason: 200,
    },
    ours: { EventType: 'connection', instance: { status: 'connected', cause: null } },
    differs: {
      profileName: 'The event is written before the name is read: `fetchInstances` has it.',
      profilePictureUrl: 'As the name.',
    },
  },
  {
    event: 'qrcode.updated',
    theirs: { qrcode: { instance: 'shop', pairingCode: null, code: '2@abc', base64: 'data:image/png;base64,AA' } },
    ours: {
      EventType: 'connection',
      instance: {
        status: 'connecting',
        qrcodeText: 'https://wa.me/settings/linked_devices#2@abc',
        qrcode: 'data:image/png;base64,AA',
        paircode: '',
      },
    },
  },
  {
    event: 'status.instance',
    theirs: {
      instance: 'shop',
      status: 'closed',
      disconnectionAt: '2026-11-29T12:00:00.000Z',
      disconnectionReasonCode: 401,
      disconnectionObject: '{}',
    },
    ours: {
      EventType: 'connection',
      type: 'LoggedOut',
      instance: {
        status: 'disconnected',
        cause: 'loggedOut',
        lastDisconnect: '2026-11-29T12:00:00.000Z',
        lastDisconnectReason: 'logged out',
      },
    },
  },
  {
    event: 'contacts.update',
    theirs: { remoteJid: BEN, pushName: 'Ben', profilePicUrl: 'https://x', instanceId: '1b2c' },
    ours: { EventType: 'contacts', event: { JID: BEN, LID: '', FullName: '', FirstName: '', PushName: 'Ben' } },
    differs: { profilePicUrl: 'Null: no picture is fetched for an event.' },
  },
  {
    event: 'chats.update',
    theirs: [{ remoteJid: BEN, instanceId: '1b2c' }],
    ours: { EventType: 'chats', chat: { wa_chatid: BEN, name: 'Ben', wa_unreadCount: 2 } },
    differs: {
      '0.name': 'As in `chats.upsert`, which is not told apart.',
      '0.unreadMessages': 'As in `chats.upsert`, which is not told apart.',
    },
  },
  {
    event: 'presence.update',
    theirs: { id: BEN, presences: { [BEN]: { lastKnownPresence: 'composing', lastSeen: 1_795_446_260 } } },
    ours: { EventType: 'presence', event: { Chat: BEN, Sender: BEN, State: 'composing', LastSeen: 1_795_446_260 } },
  },
  {
    event: 'groups.update',
    theirs: [{ id: GROUP, subject: 'Trip' }],
    ours: {
      EventType: 'groups',
      event: { JID: GROUP, Changes: ['subject'], Sender: BEN },
      group: { JID: GROUP, Name: 'Trip' },
    },
  },
  {
    event: 'group-participants.update',
    theirs: {
      id: GROUP,
      author: BEN,
      participants: [BEN],
      action: 'add',
      participantsData: [{ jid: BEN, phoneNumber: BEN, name: 'Ben', imgUrl: 'https://x' }],
    },
    ours: {
      EventType: 'groups',
      owner: OWN,
      event: { JID: GROUP, Changes: ['add'], Sender: BEN, Join: [BEN], Members: [{ JID: BEN, pn: BEN, lid: '' }] },
    },
    differs: {
      'participantsData.0.name': 'Null: names are in `contacts.update`.',
      'participantsData.0.imgUrl': 'Null: no picture is fetched for an event.',
    },
  },
  {
    event: 'labels.edit',
    theirs: { id: '1', name: 'New', color: 3, deleted: false, predefinedId: '1', instance: 'shop' },
    ours: { EventType: 'labels', label: { id: '1', labelid: '1', name: 'New', color: 3, deleted: false } },
    differs: { predefinedId: 'Not stored.' },
  },
  {
    event: 'labels.association',
    theirs: { instance: 'shop', type: 'add', chatId: BEN, labelId: '1' },
    ours: { EventType: 'chat_labels', chat: { wa_chatid: BEN, wa_label: ['1'] } },
  },
  {
    event: 'call',
    theirs: {
      chatId: BEN,
      from: BEN,
      callerPn: BEN,
      id: 'C1',
      date: '2026-11-29T12:00:00.000Z',
      offline: false,
      status: 'offer',
      isVideo: false,
      isGroup: false,
    },
    ours: {
      EventType: 'call',
      state: 'Ringing',
      event: {
        From: BEN,
        sender_pn: BEN,
        CallID: 'C1',
        Timestamp: 1_795_446_260,
        IsLate: false,
        IsVideo: false,
        IsGroup: false,
        GroupJID: '',
      },
    },
  },
]

/** Fields of the envelope, with their types. */
export const envelopeSample = {
  event: 'messages.upsert',
  instance: 'shop',
  data: {},
  destination: 'https://example.org/hook',
  date_time: '2026-11-29T12:00:00.000Z',
  sender: BEN,
  server_url: 'https://evolution.example',
  apikey: 'key',
}
