import { type Area, inFile } from './area.js'

const messages = inFile('test/gateway/messages.integration.ts', 'messages')
const menus = inFile('test/gateway/menus.integration.ts', 'menus')
const polls = inFile('test/gateway/polls.integration.ts', 'polls')
const reactions = inFile('test/gateway/reactions.integration.ts', 'reactions')
const revisions = inFile('test/gateway/edits-and-deletions.integration.ts', 'edits and deletions')
const common = inFile('test/gateway/common-fields.integration.ts', 'the fields that every send takes')
const presence = inFile('actors/instance/presence.test.ts', 'a presence')
const presenceRoute = inFile('api/routes/message/presence.test.ts')
const turns = inFile('test/gateway/agent-turns.integration.ts', 'an agent that answers')
const records = inFile('schemas/records.test.ts', 'the changes that the store emits')
const stored = inFile('runtime/store/messages.integration.ts', 'messages')
const recordId = inFile('runtime/store/events.integration.ts', 'a record id')
const age = inFile('actors/instance/sends/reaction-target.test.ts')
const emoji = inFile('api/routes/message/emoji.test.ts')

export const messageRecord: Area = {
  title: 'The message record',
  statements: {
    fields: [
      'It has every field of the list, and each that is told is declared.',
      records('of a message fits its schema, and every field of it is declared'),
    ],
    id: [
      '`id` is r and 7 hex characters.',
      common('the record of a message has its id, times and status in the documented form'),
    ],
    times: [
      '`created` and `updated` are `YYYY-MM-DD HH:MM:SS.FFF`, `messageTimestamp` is in milliseconds.',
      common('the record of a message has its id, times and status in the documented form'),
    ],
    status: [
      '`status` goes pending, sent, delivered, read and never back; failed and deleted end it.',
      messages('become sent, delivered and read, and never go back'),
      messages("fail with the network's code when it refuses them"),
      revisions('of own messages remove a message of any kind from the other phone, once'),
    ],
    edited: [
      '`edited` is the history of the edits, the newest last, and `text` the original text; previews, searches and quotes use the newest.',
      revisions('of own messages change the text on the other phone, any number of times, and keep the quoted message'),
      revisions('of others change the stored messages of theirs'),
      revisions('of captions are kept as history too, and the file stays'),
      stored('keep each edit once, the newest of them whatever their number and size, and their first text'),
      stored('stay unchanged if release 0.1.0 had edited them, and get a history then'),
    ],
    kinds: [
      '`messageType` says the kind of what comes, `source` the platform, `senderName` who wrote.',
      messages(
        'of other kinds are reported by kind: pictures, locations, reactions, taps; edits and deletions change them',
      ),
    ],
    unique: ['Ids are unique in an instance.', recordId('is replaced by another if it is in use')],
    fileURL: [
      '`fileURL` leads to the file of a message.',
      inFile(
        'test/gateway/media-sends.integration.ts',
        'files that are sent',
      )('the link in the answer serves the file'),
      inFile(
        'test/gateway/media-received.integration.ts',
        'files of received messages',
      )('of every kind have a link in the event and in the record, which serves the original file'),
    ],
    options: [
      '`convertOptions` tells what there was to choose.',
      menus('buttons are drawn with their actions, also by the own phone, and a tap returns its id'),
      menus('a list is drawn with its sections, and a choice returns the id of its row'),
      polls("are drawn, and votes are reported with their options; a person's last vote counts"),
    ],
    quoted: [
      '`quoted` is the id of the message that is answered.',
      messages('answer a reply, mention everyone in a group, are marked as forwarded and carry tracking'),
    ],
    'ai-metadata': [
      '`ai_metadata` says what an answer of an agent was made of: the request with its messages and tools, the choices and the results of tools.',
      records('of a message fits its schema, and every field of it is declared'),
      turns('answers a message with what the model says, and keeps what it was made of'),
    ],
    votes: [
      '`vote` and `buttonOrListid` say what was chosen.',
      menus('buttons are drawn with their actions, also by the own phone, and a tap returns its id'),
      polls("are drawn, and votes are reported with their options; a person's last vote counts"),
    ],
  },
}

export const messageOperations: Area = {
  title: 'Finding, marking, editing, deleting',
  statements: {
    find: [
      'Messages are found by id, chat, tracking and status, newest first, in pages.',
      messages('are found page by page, newest first'),
    ],
    markread: [
      'Marking read tells the sender, one result for each id.',
      messages('are marked read for the sender, one result each'),
    ],
    edit: [
      'A text of ours is edited on the other phone.',
      revisions('of own messages change the text on the other phone, any number of times, and keep the quoted message'),
    ],
    delete: [
      'A message of ours is deleted for everyone; its status becomes `deleted` and `messages_update` tells it.',
      revisions('of own messages remove a message of any kind from the other phone, once'),
    ],
    'edit-refused': [
      'What cannot be edited or deleted is refused with a reason.',
      revisions('are refused with a reason if they are invalid, and then change nothing'),
    ],
  },
}

export const react: Area = {
  title: 'POST /message/react',
  statements: {
    shown: [
      'One emoji appears on the message at the other side; an empty text takes it back.',
      reactions('of the account appear on the message at the other phone, one at a time, until they are removed'),
    ],
    one: [
      'A user has one reaction on a message at a time.',
      reactions('of the account appear on the message at the other phone, one at a time, until they are removed'),
    ],
    record: [
      'The answer is the reduced record: `<owner>:<messageid>`, messageid, content, messageTimestamp, `reaction`, `Pending`, owner.',
      reactions('of the account appear on the message at the other phone, one at a time, until they are removed'),
    ],
    alternative: [
      'It also says success, message, and the reaction with its emoji (null when removed) and status.',
      reactions('of the account appear on the message at the other phone, one at a time, until they are removed'),
    ],
    group: [
      'A reaction in a group names who wrote the message.',
      reactions('of the account in a group name the author of the message'),
    ],
    'others-only': [
      'Only messages of others can be reacted to.',
      reactions('are refused in the words of the specification if they are invalid, and then change nothing'),
    ],
    'seven-days': [
      'None older than 7 days.',
      reactions('are refused in the words of the specification if they are invalid, and then change nothing'),
      age('a message can be reacted to for seven days and no longer'),
    ],
    emoji: [
      'What is not an emoji, or more than one, is 400.',
      emoji('one emoji is what people count as one, however many code points it has'),
      emoji('two emojis, letters, digits, blanks and what is joined to an emoji are not one'),
    ],
    'missing-id': [
      'Without an id: 400 `Missing Id in Payload`.',
      reactions('are refused in the words of the specification if they are invalid, and then change nothing'),
    ],
    'not-found': [
      'An unknown message: 404 `Message not found`.',
      reactions('are refused in the words of the specification if they are invalid, and then change nothing'),
    ],
    'no-session': [
      'Without a session: `No session`.',
      reactions('of an instance that is not connected are answered with No session'),
    ],
    failed: [
      'What the network refuses: 500 `Error sending message`.',
      reactions("give the network's code when it refuses them"),
    ],
    event: [
      'Reactions of others are told as messages about ours.',
      reactions('of others are reported as messages about the own ones, and do not count as unread'),
    ],
  },
}

export const presenceOperation: Area = {
  title: 'POST /message/presence',
  statements: {
    shown: [
      'Composing and recording are shown at once and continue in the background; the call returns at once.',
      messages('a presence is shown at once and repeated until it ends, and a message to the chat cancels it'),
    ],
    refresh: [
      'It is shown again every 10 s until its time is over.',
      presence('is shown at once, again every 10 s, and ended by a pause when its time is over'),
    ],
    limit: [
      'Without `delay`, or above it, it lasts 300000 ms.',
      presenceRoute('a presence lasts as long as is asked, five minutes when nothing or more is asked'),
    ],
    paused: ['`paused` ends it.', presence('is ended by a pause when asked')],
    cancelled: [
      'Any message to the same chat ends it.',
      presence('is cancelled by a message without a word more'),
      messages('a presence is shown at once and repeated until it ends, and a message to the chat cancels it'),
    ],
    'bad-input': [
      'A wrong number or kind is an error.',
      presenceRoute('a presence that is none is refused, and nothing is shown'),
    ],
    failed: [
      'Without a connection it is an error; the network acknowledges no presence, so nothing else can be told.',
      messages('a presence of an instance that is not connected is an error'),
    ],
  },
}
