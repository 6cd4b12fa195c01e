import { type Area, inFile } from './area.js'

const messages = inFile('test/gateway/messages.integration.ts', 'messages')
const common = inFile('test/gateway/common-fields.integration.ts', 'the fields that every send takes')
const cards = inFile('test/gateway/contacts-and-places.integration.ts', 'contacts and places')
const files = inFile('test/gateway/media-sends.integration.ts', 'files that are sent')
const queued = inFile('test/gateway/media-queue.integration.ts', 'files that are queued')
const got = inFile('test/gateway/media-received.integration.ts', 'files of received messages')
const nodes = inFile(
  'test/cluster/media.integration.ts',
  'files, through a node that is not the owner, with an S3 service',
)
const bucket = inFile('runtime/media/storage.integration.ts', 'a bucket')
const ffmpeg = inFile('runtime/media/ffmpeg.test.ts')
const body = inFile('api/input/large-body.test.ts', 'a body with files in it')
const leads = inFile('test/gateway/leads.integration.ts', 'leads')
const queue = inFile('test/gateway/queue.integration.ts', 'the queue of asynchronous sends')
const delayed = inFile('actors/instance/sends/delayed-sends.test.ts', 'a delayed send')
const previews = inFile('test/gateway/link-previews.integration.ts', 'link previews')
const placeholders = inFile('schemas/placeholders.test.ts', 'placeholders in a text')
const menusSent = inFile('test/gateway/menus.integration.ts', 'menus')
const polls = inFile('test/gateway/polls.integration.ts', 'polls')
const choices = inFile('schemas/choices/parse.test.ts', 'a choice of buttons')
const poll = inFile('schemas/choices/parse.test.ts', 'a choice of a poll')
const cardsOfMenu = inFile('schemas/choices/parse.test.ts', 'the choices of a carousel')
const migration = inFile('schemas/choices/parse.test.ts', 'the same choices under another type')
const pix = inFile('api/routes/send/pix-button.test.ts')
const inCluster = inFile('test/cluster/kinds.integration.ts', 'every kind of send through a node that is not the owner')

export const commonFields: Area = {
  title: 'Fields that every send takes',
  statements: {
    'number-person': [
      '`number` is a phone number in international format, or a JID.',
      messages('go to a number in any spelling, to a JID, to a LID, to oneself and to a group'),
    ],
    'number-group': [
      '`number` with a group id ending in `@g.us` sends to the group; the `chatid` of a received event is such an id.',
      messages('go to a number in any spelling, to a JID, to a LID, to oneself and to a group'),
      common('a group is answered by the id from its events'),
    ],
    delay: [
      '`delay` is how many milliseconds the send waits; typing is shown meanwhile, and recording before a voice note.',
      messages('with a delay show typing first and hold back that chat only, in order'),
      files('while a voice note waits, recording is shown'),
      queue(
        'sends what is delayed once, in its time and in the order of its chat, though the gateway is killed meanwhile',
      ),
      queue('holds a send with a delay of up to a day, which a clearing cancels'),
      delayed('is shown as typing or recording for at most five minutes, counted from its beginning'),
    ],
    readchat: [
      '`readchat` marks the chat read once the message is out: its unread count is 0 and the sender sees it.',
      common('readchat marks the chat read and clears its count, after the message is out'),
      common('readchat removes an unread mark that was set on the phone'),
      common('readchat and readmessages mark nothing for a send that was refused'),
    ],
    readmessages: [
      '`readmessages` marks the last 10 messages received in the chat as read, and none that was sent.',
      common('readmessages marks only the last ten received messages as read'),
      common('readmessages leaves older messages unread: 18 unread become 8'),
    ],
    replyid: [
      '`replyid` makes the message a reply, by `owner:messageid`, the bare id, or the id of the record.',
      common('messages can also be named by the id of their record'),
      messages('answer a reply, mention everyone in a group, are marked as forwarded and carry tracking'),
      cards('a … takes what every send takes: replies, forwards, delays, tracking and the queue'),
    ],
    'mentions-all': [
      '`mentions: all` mentions every member of the group.',
      messages('answer a reply, mention everyone in a group, are marked as forwarded and carry tracking'),
    ],
    'mentions-numbers': [
      '`mentions` is a list of numbers with commas; it counts in groups only.',
      common('mentions takes numbers separated by commas, in groups only'),
    ],
    forward: [
      '`forward` marks the message as forwarded.',
      messages('answer a reply, mention everyone in a group, are marked as forwarded and carry tracking'),
    ],
    tracking: [
      '`track_source` and `track_id` are kept with the message and found by; the same `track_id` may be used again.',
      messages('answer a reply, mention everyone in a group, are marked as forwarded and carry tracking'),
    ],
    async: [
      '`async` queues the send; queued ones go out in their order.',
      messages('sent asynchronously are queued at once and leave in order, also when one of them fails'),
      messages('queued before a kill -9 are sent once each, in order'),
    ],
    'every-node': [
      'A send is taken by every node of a cluster, and sent once when its owner dies in the middle of it.',
      inCluster(
        'arrives: contacts, locations, reactions, edits, deletions, rejections of calls, leads; the queue is shown',
      ),
      inCluster('is sent once, and answered, when the owner is killed in the middle of it'),
    ],
  },
}

export const placeholdersInTexts: Area = {
  title: 'Placeholders',
  statements: {
    name: [
      '`{{name}}` is the first there is of lead_name, lead_fullName, wa_contactName, wa_name.',
      placeholders('take the first name that is there, and its first real word'),
      leads('fill the placeholders of the next message, whatever its kind, and of its changes'),
    ],
    'first-name': [
      '`{{first_name}}` is the first word of that name with a letter, and two letters or digits at least.',
      placeholders('take the first name that is there, and its first real word'),
    ],
    fields: [
      'The profile name, the name as a contact, and the lead fields of the list stand for themselves.',
      placeholders('take the first name that is there, and its first real word'),
      leads('fill the placeholders of the next message, whatever its kind, and of its changes'),
    ],
    custom: [
      '`{{lead_field01}}` to `{{lead_field20}}` are the custom fields; a name from the field map means the same.',
      leads('have named custom fields, which are placeholders too'),
    ],
    unknown: [
      'What is not a placeholder stays as it is.',
      placeholders('leave unknown ones as they are and empty the known ones without a value'),
      leads('fill the placeholders of the next message, whatever its kind, and of its changes'),
    ],
    once: ['What a value holds is not filled in again.', placeholders('do not expand what a value holds')],
    'every-text': [
      'They work in texts, contacts, places, previews and edits.',
      leads('fill the placeholders of the next message, whatever its kind, and of its changes'),
    ],
    'in-menus': [
      'They work in every text, code, URL and phone number of a menu, a carousel and a payment button.',
      inFile(
        'schemas/choices/parse.test.ts',
        'placeholders in a menu',
      )('are filled in what a reader sees, and an id that was not given follows its text'),
      menusSent('placeholders are filled in every text, but not in ids, unless the text is the id'),
    ],
    'in-captions': [
      'They work in the caption of a file.',
      leads('fill the placeholders of the next message, whatever its kind, and of its changes'),
    ],
    listed: [
      '`/chat/find` tells the fields that they name.',
      leads('are edited in every field, reported with the chat, and keep the fields that a call leaves out'),
    ],
    fresh: [
      'A lead that was edited fills the next message, on every node and in sends that were queued before.',
      leads('are seen by sends that were queued before the edit'),
      inCluster(
        'arrives: contacts, locations, reactions, edits, deletions, rejections of calls, leads; the queue is shown',
      ),
    ],
  },
}

export const sending: Area = {
  title: 'Texts, contacts, places and the queue',
  statements: {
    text: [
      'A text arrives as it was sent, once, and is answered with the message record after the network has taken it.',
      messages('go to a number in any spelling, to a JID, to a LID, to oneself and to a group'),
      messages('become sent, delivered and read, and never go back'),
    ],
    response: [
      'The answer holds `response` with status `success`.',
      common('the record of a message has its id, times and status in the documented form'),
    ],
    'no-account': [
      'A number without an account is an error that names it.',
      messages('to a number without an account are refused, and the answer names the number'),
    ],
    refused: [
      'What the network refuses is an error with its code, and the message is `failed`.',
      messages("fail with the network's code when it refuses them"),
    ],
    unanswered: [
      'What the network does not answer in time is `pending`; the truth follows as an event, and the message is sent once.',
      messages('are answered as pending without an acknowledgement, and sent once over the next connection'),
    ],
    idempotency: [
      'The same `Idempotency-Key` sends once; another body under it is refused.',
      messages('repeated under the same Idempotency-Key are sent once; another body under it is refused'),
    ],
    contact: [
      'A contact is a card with its numbers, organisation, mail address and page.',
      cards('a contact is a card on the other phone, and its record has the fields of the card'),
    ],
    location: ['A place is shown with its name and address.', cards('a location is a location on the other phone')],
    'preview-page': [
      '`linkPreview` shows title, description and picture of the first linked page.',
      previews('show the title and the picture of the page, without filling placeholders in them'),
    ],
    'preview-own': [
      'Title, description and picture (URL or base64) of a preview can be given.',
      previews('show a given picture instead, by URL or as base64'),
      messages('show a link preview that the caller gives'),
    ],
    'preview-fails': [
      'A page or picture that cannot be had costs the preview, not the text; a picture that is none is refused.',
      previews('are sent without the picture when it cannot be fetched'),
      previews('are refused with an invalid picture or address, and nothing is sent'),
    ],
    'preview-large': [
      '`linkPreviewLarge` shows the preview large; small, when the picture cannot be brought to the network.',
      previews('are shown large on request, with a picture that the other phone can fetch'),
      previews('are shown small when the network refuses the large picture, or there is none'),
      nodes('the large picture of a link preview is sent, and nothing of it stays in the storage'),
    ],
    'queue-status': ['The queue tells how many wait and whether one is being sent.', queue('is idle when it is empty')],
    'queue-account': [
      'What one account was to send is never sent by another that the instance is paired with later: it fails, and says so.',
      queue('never sends the messages of one account from another that was paired since'),
    ],
    'queue-clear': [
      'Emptying the queue cancels what waits, tells so, and lets the one that is under way go out.',
      queue('is cleared behind the send under way: the rest is canceled, reported, and never sent'),
    ],
  },
}

export const menus: Area = {
  title: 'POST /send/menu, /send/carousel, /send/pix-button',
  statements: {
    'button-reply': [
      '`<text>` and `<text>|<id>` are reply buttons; without an id it is the text.',
      menusSent('buttons are drawn with their actions, also by the own phone, and a tap returns its id'),
    ],
    'button-copy': [
      '`<text>|copy:<code>` copies.',
      menusSent('buttons are drawn with their actions, also by the own phone, and a tap returns its id'),
    ],
    'button-call': [
      '`<text>|call:<phone>` calls.',
      menusSent('buttons are drawn with their actions, also by the own phone, and a tap returns its id'),
    ],
    'button-url': [
      '`<text>|<url>` and `<text>|url:<url>` open an address.',
      menusSent('buttons are drawn with their actions, also by the own phone, and a tap returns its id'),
      choices('… is a … button'),
    ],
    'line-break': ['A line break separates like `|`.', choices('… is a … button')],
    'button-image': [
      '`imageButton` shows an image, by URL or base64.',
      menusSent('show pictures, videos and documents above buttons and in cards, by URL or as base64'),
      menusSent('with unavailable pictures are refused with the field; nothing is sent, and no file is left'),
    ],
    'button-mixed': [
      'Reply buttons beside others give a warning: the web client then points to the phone.',
      menusSent('buttons are drawn with their actions, also by the own phone, and a tap returns its id'),
    ],
    'list-section': [
      '`[<title>]` begins a section of a list.',
      menusSent('a list is drawn with its sections, and a choice returns the id of its row'),
    ],
    'list-item': [
      '`<text>|<id>|<description>` is an item; id and description may be left out.',
      menusSent('a list is drawn with its sections, and a choice returns the id of its row'),
    ],
    'list-button': [
      '`listButton` is the label that opens the list.',
      menusSent('a list is drawn with its sections, and a choice returns the id of its row'),
    ],
    footer: [
      '`footerText` stands below buttons and lists.',
      menusSent('buttons are drawn with their actions, also by the own phone, and a tap returns its id'),
    ],
    poll: [
      'Each choice of a poll is an option; `selectableCount` is 1 unless it is given.',
      polls("are drawn, and votes are reported with their options; a person's last vote counts"),
      poll('is an option, of which one may be taken unless more are allowed'),
    ],
    carousel: [
      '`[<text>]` begins a card, `{<image>}` follows it, buttons follow that.',
      menusSent('a carousel is drawn, from either operation; a card alone is drawn as buttons'),
      menusSent('show pictures, videos and documents above buttons and in cards, by URL or as base64'),
      cardsOfMenu('are cards with their images and buttons'),
    ],
    migrates: [
      'The same choices under another `type` become that type.',
      migration('keep labels and ids, and what has no place is left out with a warning'),
    ],
    taps: [
      'A tap comes back with `buttonOrListid`, a vote with `vote`, both with `quoted`.',
      menusSent('buttons are drawn with their actions, also by the own phone, and a tap returns its id'),
      menusSent('a list is drawn with its sections, and a choice returns the id of its row'),
      polls("are drawn, and votes are reported with their options; a person's last vote counts"),
    ],
    'carousel-objects': [
      '`/send/carousel` says the same in objects.',
      menusSent('a carousel is drawn, from either operation; a card alone is drawn as buttons'),
      menusSent('show pictures, videos and documents above buttons and in cards, by URL or as base64'),
    ],
    'pix-types': [
      '`pixType` is CPF, CNPJ, PHONE, EMAIL or EVP, in any case; another is `Invalid keyType. Allowed: CPF, CNPJ, PHONE, EMAIL, EVP`.',
      pix('a payment key is taken in any case and spelling, under the name Pix unless one is given'),
      pix('a payment key that is none is refused, and nothing is sent'),
    ],
    'pix-name': [
      '`pixName` is `Pix` when it is empty.',
      menusSent('a payment key is drawn with the name of the payee'),
    ],
    'pix-shown': [
      'The recipient sees the name of the receiver and the key.',
      menusSent('a payment key is drawn with the name of the payee'),
    ],
    'pix-answer': [
      'The answer is the message record with `response` {status `success`, message}.',
      menusSent('a payment key is drawn with the name of the payee'),
    ],
    'pix-token': [
      'A wrong token is `Invalid token`.',
      pix('a payment key without the right token is answered with Invalid token'),
    ],
    'pix-failed': [
      'What the network refuses is `Failed to send PIX button`.',
      menusSent('refused by the network give an error with its code'),
    ],
  },
}

export const media: Area = {
  title: 'Files',
  statements: {
    send: [
      '`/send/media` sends images, videos, documents, sound, voice notes, round videos and stickers; the other phone shows each as what it is.',
      files('every kind of file is shown as its kind'),
      files('a picture arrives unchanged, with its caption, its size and a thumbnail'),
    ],
    given: [
      'The file is a URL, which is fetched, or base64 in the spellings of encoders, which may be large.',
      files('a file by URL is fetched, over redirects, and a document has the name that the URL gives it'),
      files('base64 is accepted in all common forms: for URLs, with line breaks, with escaped slashes'),
      files('a large file arrives complete'),
      body('may have them in arrays, and in braces among other texts'),
    ],
    url: [
      'A URL that fails, is slow, endless, too large or leads inside is refused with a sentence, and nothing is sent.',
      files(
        'a URL that fails, is slow, endless, too large, or lies about its length gives a clear error; nothing is sent',
      ),
      queued('refuse URLs of private addresses, also after a redirect and in every notation'),
    ],
    type: [
      'What a file is, is seen in it: another type, one too large, empty or damaged is refused with what it is.',
      files('a file of another type, too large, empty or damaged is refused with the reason; nothing is sent'),
    ],
    converted: [
      'Pictures that clients do not show become JPEG, stickers WebP of 512 pixels; voice notes are OGG/OPUS, by ffmpeg.',
      files('formats that clients cannot show are converted: a picture to JPEG, a sticker to WebP of 512 pixels'),
      queued('include audio that ffmpeg makes a voice note with a waveform, and that is downloaded as MP3'),
    ],
    'no-ffmpeg': [
      'Without ffmpeg a conversion is refused with a sentence.',
      ffmpeg('without ffmpeg a conversion is refused with a sentence, and what is only nice to have is left out'),
      files('a file of another type, too large, empty or damaged is refused with the reason; nothing is sent'),
    ],
    common: [
      'A file takes what every send takes, and may be seen once; what its kind cannot carry is left out and said.',
      files(
        'the common fields work: reply, view once, forwarded, tracking; unsupported ones are left out with a warning',
      ),
    ],
    queued: [
      'What was accepted survives the end of its process, and an outage of the storage, and is sent once, in order.',
      queued('survive a kill -9 before their upload: each arrives once, complete and in order'),
      queued('wait while the storage is away and continue when it returns; new ones are refused meanwhile'),
      'test/durability/media-disk-full.integration.ts > when the disk for files is full, files are refused with a reason, texts continue, and queued files are sent',
    ],
    refused: [
      'What the media host refuses is not sent, and said; it does not hold up the others.',
      files('a refusal by the media host gives an error and sends nothing; an expired permission is renewed'),
      queued('fail with the reason when the network refuses them for good, and do not delay the others'),
    ],
    cluster: [
      'Files are sent and given through every node, by an S3-compatible service; a disk is for one node, and others are refused.',
      nodes('a picture is sent, and nothing of it stays in the storage'),
      nodes('the pictures of a carousel are sent, and nothing of them stays in the storage'),
      nodes(
        'a received file is given by either node, also when the network has it no more, and by a link of the other',
      ),
      nodes(
        'a queued file is sent by the node that takes over, when its owner dies before it has brought it to the network',
      ),
      nodes('a node that stores files on its own disk is refused beside others, with the way out'),
    ],
    storage: [
      'The service is asked under the key that is set, and gives nothing under another.',
      bucket('stores, returns and deletes nothing under a wrong …'),
    ],
    fileURL: [
      'A received file can be fetched at `fileURL`, by nobody who makes up the link, and never as a page that could run.',
      got('of every kind have a link in the event and in the record, which serves the original file'),
      got('refuse a changed or forged link'),
      got('are served with their name, and never as an executable page'),
    ],
    retention: [
      'What is kept is taken away when its time is over, and one larger than allowed is not fetched.',
      'runtime/media/sweep.integration.ts > the sweep takes away what nobody needs: sent and lost files, old received ones, those of deleted instances; never what is queued',
      got('above the size limit are not fetched'),
    ],
    expired: [
      'What the network has no more is asked of the phone.',
      got('are requested from the phone when the network no longer has them'),
      got('give an error when the phone has lost them or they are damaged; another try may succeed'),
    ],
    download: [
      '`/message/download` gives the file of a message as link, base64 or both; of an answered message; of menus and cards.',
      got('are served by /message/download as link, as base64 or both, by every id of the message'),
      got('of a quoted message are served on request'),
      got("in menus are served too: the header's, and a card's by its number"),
    ],
  },
}
