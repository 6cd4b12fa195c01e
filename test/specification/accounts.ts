import { type Area, inFile } from './area.js'

const settings = inFile('test/gateway/chat-settings.integration.ts', 'settings of chats')
const groups = inFile('test/gateway/groups.integration.ts', 'groups')
const agents = inFile('test/gateway/agent-records.integration.ts', 'records of agents')
const turns = inFile('test/gateway/agent-turns.integration.ts', 'an agent that answers')
const rules = inFile('schemas/function-rules.test.ts', 'a function')
const search = inFile('runtime/store/chat-search.integration.ts', 'a search over chats')
const chats = inFile('test/gateway/chats.integration.ts', 'chats')
const routing = inFile('test/cluster/routing.integration.ts', 'any node answers for any instance')
const calls = inFile('test/gateway/calls.integration.ts', 'calls')
const callRoute = inFile('api/routes/call/reject.test.ts')
const leads = inFile('test/gateway/leads.integration.ts', 'leads')
const leadRoute = inFile('api/routes/chat/edit-lead.test.ts')
const pairing = inFile('test/gateway/pairing.integration.ts', 'pairing')
const passkey = inFile('test/gateway/pairing.integration.ts', 'with a passkey')
const disconnects = inFile('test/gateway/disconnects.integration.ts', 'when the network ends a connection')
const limit = inFile('test/gateway/disconnects.integration.ts', 'the limits of instances')
const administration = inFile('api/administration.integration.ts', 'an instance')
const records = inFile('schemas/records.test.ts', 'the changes that the store emits')
const inCluster = inFile('test/cluster/kinds.integration.ts', 'every kind of send through a node that is not the owner')

export const instances: Area = {
  title: 'Instances',
  statements: {
    states: [
      'An instance is disconnected, connecting or connected, and says so.',
      pairing('by code shows a code, the same for repeated calls, and an empty notice does not end it'),
      disconnects(
        'disconnect logs the device out at the network; reset brings the same device back; a disconnected one can be deleted',
      ),
    ],
    passkey: [
      'It stays connecting while the network waits for a passkey.',
      passkey('shows the challenge in place of the QR, and links when it is signed'),
    ],
    'pair-qr': [
      'Without a number it is paired by QR.',
      pairing('by QR works with a lasting secret, and the QR is also an image'),
      pairing('by QR survives a secret that the network retires after the scan: a new QR is shown, and pairs'),
    ],
    'pair-code': [
      'With a number it is paired by a code.',
      pairing('by code shows a code, the same for repeated calls, and an empty notice does not end it'),
    ],
    limit: [
      'Beyond the limit of connected instances a connect answers 429.',
      limit('beyond INSTANCES_MAX a connect answers 429, until another one is disconnected'),
    ],
    token: [
      'The token is told once, when the instance is made.',
      administration('gets its token once, when it is created, and never again'),
    ],
  },
}

export const callReject: Area = {
  title: 'POST /call/reject and the event call',
  statements: {
    reject: [
      'A call that rings is rejected by its id and who rings, voice and video; who rings sees it.',
      calls('produce events with the caller, and end for the caller when they are rejected'),
      callRoute('a call is refused by its id'),
    ],
    answer: [
      'The answer is {response}.',
      calls('produce events with the caller, and end for the caller when they are rejected'),
    ],
    'missing-id': ['A missing call id is 400.', calls('are not rejected without an id, even when only one rings')],
    'invalid-number': ['An invalid number is 400.', calls('with a wrong id or number are refused, and change nothing')],
    'client-not-found': [
      'Without a session: `client not found`.',
      calls('of an instance that is not connected are answered with the words of the specification'),
    ],
    token: [
      'A wrong token is 401.',
      calls('of an instance that is not connected are answered with the words of the specification'),
    ],
    timeout: [
      'What the network does not answer is 500 `error rejecting call: timeout`.',
      calls('return an error when the network refuses the rejection or does not answer'),
    ],
    failure: [
      'What it refuses is 500.',
      calls('return an error when the network refuses the rejection or does not answer'),
    ],
    'event-offer': [
      'Ringing is told as an event.',
      calls('produce events with the caller, and end for the caller when they are rejected'),
    ],
    'event-timeout': [
      'A call that nobody takes is told as timed out, or as given up.',
      calls('are reported as timed out or canceled when nobody answers'),
    ],
    'event-elsewhere': [
      'A call that another device takes or rejects is told as such.',
      calls('are reported as ended elsewhere when the phone accepts or rejects them'),
    ],
    'event-group': [
      'A call to a group is told as such.',
      calls('to a group are reported as group calls, and can be rejected'),
    ],
    'event-away': [
      'What rang while the instance was away is told when it is back.',
      calls('are reported after the instance returns if they rang while it was away'),
    ],
    'event-once': [
      'What the network tells twice is told once.',
      calls('are reported once when the network repeats them'),
    ],
    'every-node': [
      'Any node rejects it, also after the owner died while it rang.',
      inCluster('is sent once, and answered, when the owner is killed in the middle of it'),
    ],
  },
}

export const leadsAndChats: Area = {
  title: 'POST /chat/editLead, /instance/updateFieldsMap; the chat record',
  statements: {
    record: [
      'The chat record has every field of the list.',
      records('of a chat fits its schema, and every field of it is declared'),
    ],
    chatbot: [
      'The trigger that fired last is named with its time, and a pause has its end.',
      turns('answers a message with what the model says, and keeps what it was made of'),
      turns('is silent after the word that stops it, and ends the answer that is under way'),
    ],
    'record-labels': [
      '`wa_label` is a text that holds the list of labels; `[]` without any.',
      settings('include labels, which are created, added to chats, removed and deleted'),
    ],
    'common-groups': [
      '`wa_common_groups` names the groups that are shared with the person.',
      groups('are shown in the chats of members who share them, and listed page by page'),
      inFile('runtime/store/common-groups.integration.ts')(
        'chats name the groups that are shared, through every change of group, chat and address',
      ),
    ],
    edit: [
      'Every lead field is edited, tags, ticket and place on the board among them; what is not given stays.',
      leads('are edited in every field, reported with the chat, and keep the fields that a call leaves out'),
      leadRoute('an edit of a lead goes to the owner of the instance, with its tags as one text'),
    ],
    id: ['The chat is named by `wa_chatid` or `wa_fastid`.', leads('are found by number, LID and short name')],
    tags: [
      'An empty list takes all tags away.',
      leads('are edited in every field, reported with the chat, and keep the fields that a call leaves out'),
    ],
    event: [
      'An edit that changes something is an event `leads` with the chat.',
      leads('are edited in every field, reported with the chat, and keep the fields that a call leaves out'),
    ],
    unknown: ['An unknown chat: 404 `Chat not found`.', leads('refuse invalid edits and names, and stay unchanged')],
    names: [
      'The 20 custom fields take names of at most 255 characters, told as `fieldsMap` with the instance.',
      leads('have named custom fields, which are placeholders too'),
    ],
    'names-refused': [
      'A name that is taken or means something else is refused.',
      leads('refuse invalid edits and names, and stay unchanged'),
    ],
    find: [
      '`/chat/find` searches chats by any field, with operators, sorting and pages.',
      search('finds what each operator says of each type of field, joined by AND and OR'),
      search('gives every page of an order once, by each field, forwards and backwards'),
      chats('are listed page by page, by page number or by offset'),
      chats('refuse searches by unknown fields'),
    ],
    'find-answer': [
      'It answers {chats, totalChatsStats, pagination}, the last with totalRecords, pageSize, currentPage and totalPages.',
      chats('are listed page by page, by page number or by offset'),
      chats('follow changes on the phone: archived, pinned, muted, marked, and back'),
    ],
    archive: [
      '`/chat/archive` archives and brings back, on all linked devices, and leaves the messages.',
      settings(
        'archived, pinned and muted through the API change on the phone, on other devices and in events, and back',
      ),
      routing('with its chats and contacts, which follow the phone and are changed on it'),
    ],
    'archive-number': [
      'An invalid number is `Invalid phone number format`.',
      settings('are refused with a reason if they are invalid, and then change nothing'),
    ],
    'archive-failed': [
      'What the network does not take is `Error archiving chat`.',
      settings('return an error and stay unchanged when the network refuses them, and the next change works'),
    ],
    'archive-race': [
      'A change that meets one of another device is written after it.',
      settings('survive a conflict with another device: the collection is read again, then the change is written'),
    ],
    labels: [
      '`/chat/labels` sets, adds and removes labels, and answers one string per change in `editions`.',
      settings('include labels, which are created, added to chats, removed and deleted'),
    ],
    'labels-one': [
      'Exactly one of `labelids`, `add_labelid`, `remove_labelid` is taken.',
      settings('are refused with a reason if they are invalid, and then change nothing'),
    ],
    'labels-unknown': [
      'Unknown labels are refused.',
      settings('are refused with a reason if they are invalid, and then change nothing'),
    ],
  },
}

export const otherOperations: Area = {
  title: 'Groups, profile, labels, contacts, agents',
  statements: {
    'group-list': [
      '`/group/list` tells every field of the group record, and the members.',
      groups('are listed with every field and their members, and follow what others change in them'),
      routing('with its chats and contacts, which follow the phone and are changed on it'),
    ],
    'group-sends': [
      'A send to a group, also with everyone mentioned, does not ask the network for its members each time.',
      groups('take messages that mention everyone, without a query for their members each time'),
    ],
    'group-join': [
      '`/group/join` joins by a code of 10 to 50 characters or its URL, and answers {response, group}.',
      groups('are joined by an invite code or its URL, which can be inspected first'),
    ],
    'group-join-invalid': [
      'The code is validated before joining: `Invalid invite code`.',
      groups('are joined by an invite code or its URL, which can be inspected first'),
    ],
    'group-join-failed': [
      'An invitation that cannot be looked at is `Error processing group invite`.',
      groups('are joined by an invite code or its URL, which can be inspected first'),
    ],
    'group-join-refused': [
      'What the network refuses is `Unable to join group`.',
      groups('are joined by an invite code or its URL, which can be inspected first'),
    ],
    'group-announce': [
      '`/group/updateAnnounce` restricts who may send, and answers the group without MemberAddMode.',
      groups('are opened and closed for writing by admins only, and other accounts send no request'),
    ],
    'group-announce-admin': [
      'Only admins may; the network is not asked otherwise.',
      groups('are opened and closed for writing by admins only, and other accounts send no request'),
    ],
    'group-changes': [
      'Groups are made, named, described, locked, filled and left.',
      groups('are created, described, locked, filled and left'),
    ],
    'profile-name': [
      '`/profile/name` changes the name that others see, and answers {success, message, profile}.',
      settings('include the profile name, which others see as soon as it changes'),
    ],
    'profile-name-length': [
      'It takes at most 25 characters.',
      settings('are refused with a reason if they are invalid, and then change nothing'),
    ],
    'profile-name-session': [
      'Without a session it is `No session`.',
      settings('are refused with a reason if they are invalid, and then change nothing'),
    ],
    'profile-name-limit': [
      'What the network refuses is an error; a limit of the network is told as one.',
      settings('return an error and stay unchanged when the network refuses them, and the next change works'),
    ],
    'label-edit': [
      '`/label/edit` makes, edits and deletes labels.',
      settings('include labels, which are created, added to chats, removed and deleted'),
    ],
    'label-edit-errors': [
      'Its errors are `invalid payload` and `error editing label`.',
      settings('are refused with a reason if they are invalid, and then change nothing'),
      settings('return an error and stay unchanged when the network refuses them, and the next change works'),
    ],
    contacts: [
      '`/contacts/list` lists contacts in pages, with all six fields of the pagination.',
      chats('have contacts: those of the address book, and others who wrote'),
    ],
    'contacts-record': [
      'A contact has jid, contact_name and contact_FirstName.',
      chats('have contacts: those of the address book, and others who wrote'),
    ],
    'contacts-all': [
      '`GET /contacts` lists all of them at once.',
      chats('have contacts: those of the address book, and others who wrote'),
    ],
    'contacts-session': [
      'Without a session it is `No session`.',
      chats('have contacts: those of the address book, and others who wrote'),
    ],
    labels: [
      '`GET /labels` lists the labels with labelid, name and color.',
      settings('include labels, which are created, added to chats, removed and deleted'),
    ],
    'group-unknown': [
      'A group that the account is not in is an error that says so, and is sent nothing.',
      groups('without the account as a member take no messages, and the answer gives the reason'),
      groups('with a wrong id are refused with the field'),
    ],
    agents: [
      '`/agent/edit` and `/agent/list` keep agents; their keys are sealed and never answered.',
      agents('include agents, whose keys no answer holds, and which are changed in part'),
      agents('refuse an agent that breaks a rule, name the field, and change nothing'),
    ],
    triggers: [
      '`/trigger/edit` and `/trigger/list` keep the triggers of agents.',
      agents('include triggers of existing agents; an agent in use stays'),
    ],
    chatbotSettings: [
      '`/instance/updatechatbotsettings` changes the settings of the chatbot, which the instance shows.',
      agents('include the settings of the chatbot, which the instance shows'),
    ],
    knowledge: [
      '`/knowledge/list` lists what the agent knows, with `tittle` spelled so.',
      agents('include knowledge, which is created, changed, listed by priority and deleted'),
    ],
    'knowledge-read': [
      'Entries are read: `vectorStatus`, `isVectorized` and `lastVectorizedAt` say how far.',
      agents('include knowledge of texts and files, which is read and found, and never by another instance'),
    ],
    functions: [
      '`/function/edit` creates, edits and deletes functions, and answers the record.',
      agents('include functions, which are created, changed in part, listed and deleted'),
    ],
    'functions-record': [
      'A function is not active unless it is told to be; its headers and body are answered as texts.',
      agents('include functions, which are created, changed in part, listed and deleted'),
    ],
    'functions-off': [
      'A function that breaks a rule is switched off; `undocumentedParameters`, `header_error` and `body_error` say why.',
      agents('are disabled when they break a rule, and give the reason'),
      rules('needs a parameter for each placeholder, in the same case of letters'),
      rules('needs JSON objects as headers and body, headers of texts'),
    ],
    'functions-parameters': [
      'Names of parameters are unique, types correct, limits and enums such that they can be.',
      rules('needs parameters with names of their own, known types, limits and values that can be'),
    ],
    'functions-fields': [
      'Names without spaces, known methods and full URLs only.',
      agents('are refused with the field if they are invalid, and then change nothing'),
      rules('is called by a full URL, with placeholders in its path and query only'),
    ],
  },
}
