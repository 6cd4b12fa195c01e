/**
 * Dialogs and menus that must fit every reader: `pages.browser.ts` opens each by the keyboard, and `hostile.browser.ts` those of hostile records.
 * Add a line for each new one: `openings.test.ts` fails if a part of the dashboard has more dialogs and menus than are opened here.
 */
import type { Locator, Page } from 'playwright-core'
import type { ListedPage } from './page-list.js'

export interface Opening {
  readonly name: string
  /** File that draws it, below `dashboard/src`. */
  readonly of: string
  readonly path: ListedPage['path']
  readonly opener: (page: Page) => Locator
  readonly shown: 'dialog' | 'menu'
  /** Entry of the menu at the button, where the dialog opens by one. */
  readonly entry?: string
  /** Makes the page ready for it, such as by a choice of rows. */
  readonly prepare?: (page: Page) => Promise<void>
  /** Continues inside of it, to where it has most. */
  readonly fill?: (shown: Locator, page: Page) => Promise<void>
}

const ofInstance =
  (rest: string): ListedPage['path'] =>
  ({ instance }) =>
    `/instances/${instance}${rest}`
const CHAT = ofInstance('/chats?chat=5511999990002%40s.whatsapp.net')
const SETTINGS = ofInstance('/settings')
const SCHEDULED = ofInstance('/scheduled')
const KEYS = ofInstance('/keys')
const INSTANCES: ListedPage['path'] = () => '/instances'

const DANGER = 'features/settings/danger-zone.tsx'
const DEAD_LETTERS = 'features/webhooks/dead-letters.tsx'

const button =
  (name: string | RegExp): Opening['opener'] =>
  (page) =>
    page.getByRole('main').getByRole('button', { name, exact: true }).first()
/** A button in the dialog that is open. */
const inDialog =
  (name: string | RegExp): Opening['opener'] =>
  (page) =>
    page.getByRole('dialog').getByRole('button', { name, exact: true }).first()
const dialog = (name: string, of: string, path: ListedPage['path'], opener: Opening['opener']): Opening => ({
  name,
  of,
  path,
  opener,
  shown: 'dialog',
})

const yourMenu: Opening['opener'] = (page) => page.getByRole('button', { name: /^Your menu/ })

/** Makes, changes and deletes a record of a list. */
const records = (
  name: string,
  path: ListedPage['path'],
  add: string,
  of = 'features/records/records.tsx',
): readonly Opening[] => [
  dialog(`new ${name}`, of, path, button(add)),
  dialog(`change of ${name}`, of, path, button('Edit')),
  dialog(`deletion of ${name}`, of, path, button('Delete')),
]

const chooseKind = async (kind: string, page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Choose another kind' }).click()
  await page.getByRole('menuitemradio', { name: kind, exact: true }).click()
  await page.getByRole('menu').waitFor({ state: 'detached' })
}

/** The composer with the builder of one kind. */
const composer = (kind: string): Opening => ({
  ...dialog(`composer for ${kind}`, 'features/conversation/more-kinds.tsx', CHAT, button('More kinds of messages')),
  fill: (_, page) => chooseKind(kind, page),
})

const bulk = (action: string): Opening => ({
  ...dialog(`${action} of instances`, 'features/instances/bulk-dialog.tsx', INSTANCES, (page) =>
    page.getByRole('toolbar').getByRole('button', { name: action, exact: true }),
  ),
  prepare: (page) => page.getByLabel('Select Shop').check(),
})

/** Openings of the entries in a message's menu. */
const ofMessage = (name: string, whose: string, entry: string, of: string): Opening => ({
  ...dialog(name, of, CHAT, button(`Actions for the message of ${whose}`)),
  entry,
})

/** Openings of the buttons in a group's details. */
const ofGroup = (name: string, of: string, label: string, choose?: string): Opening => ({
  ...dialog(name, of, ofInstance('/groups'), inDialog(label)),
  async prepare(page) {
    await button('Open')(page).click()
    if (choose !== undefined) await page.getByRole('dialog').getByLabel(choose).check()
  },
})

const ofCampaign: ListedPage['path'] = ({ instance, campaign }) => `/instances/${instance}/campaigns/${campaign}`

export const openings: readonly Opening[] = [
  dialog(
    'palette',
    'features/palette/palette.tsx',
    () => '/overview',
    (page) => page.getByRole('button', { name: 'Go to' }),
  ),
  dialog(
    'choice of an instance',
    'features/navigation/instance-chooser.tsx',
    () => '/overview',
    (page) => page.getByRole('button', { name: 'Choose an instance' }),
  ),
  {
    ...dialog('menu of the person', 'features/navigation/person-menu.tsx', () => '/overview', yourMenu),
    shown: 'menu',
  },
  {
    ...dialog('recent calls', 'features/recent-calls/recent-calls.tsx', () => '/overview', yourMenu),
    entry: 'Calls of this page, as code',
  },
  dialog('drain of a node', 'features/cluster/nodes.tsx', () => '/cluster', button(/^Drain /)),
  dialog('import of an instance', 'features/instances/import-instance.tsx', INSTANCES, button('Import an instance')),
  bulk('Reset'),
  bulk('Tag'),
  bulk('Delete'),
  {
    ...dialog(
      'menu of a message',
      'features/conversation/message-menu.tsx',
      CHAT,
      button('Actions for the message of Ana'),
    ),
    shown: 'menu',
  },
  { ...dialog('menu of a chat', 'features/conversation/chat-menu.tsx', CHAT, button('Actions')), shown: 'menu' },
  { ...dialog('blocking', 'features/conversation/chat-menu.tsx', CHAT, button('Actions')), entry: 'Block' },
  ofMessage('change of a message', 'You', 'Edit', 'features/conversation/message-dialog.tsx'),
  ofMessage('deletion of a message', 'You', 'Delete for everyone', 'features/conversation/message-dialog.tsx'),
  ofMessage('pin of a message', 'Ana', 'Pin', 'features/conversation/pin-dialog.tsx'),
  ofMessage('forwarding of a message', 'Ana', 'Forward', 'features/conversation/forward-dialog.tsx'),
  dialog('settings of the inbox', 'features/conversation/inbox-choices.tsx', CHAT, button('Settings of the inbox')),
  {
    ...dialog('shortcuts', 'features/conversation/shortcuts.tsx', CHAT, inDialog('Keyboard shortcuts')),
    prepare: (page) => button('Settings of the inbox')(page).click(),
  },
  {
    ...dialog('scheduling of a text', 'features/conversation/schedule-dialog.tsx', CHAT, button('Schedule')),
    prepare: (page) => page.getByLabel('Write a message').fill('Later'),
  },
  ofMessage('message as curl', 'Ana', 'Show as curl', 'features/conversation/message-dialog.tsx'),
  ...['Document', 'Buttons', 'List', 'Poll', 'Carousel', 'Place', 'Contact', 'Pix key'].map(composer),
  {
    ...dialog('lead in a conversation', 'features/conversation/lead-part.tsx', CHAT, button('Edit the lead')),
    prepare: (page) => button('Details')(page).click(),
  },
  // Last of the chat: the selection stays, in the place of the box.
  {
    ...dialog('deletion of selected messages', 'features/conversation/selection-bar.tsx', CHAT, (page) =>
      page.getByRole('toolbar').getByRole('button', { name: 'Delete for everyone' }),
    ),
    async prepare(page) {
      await button('Actions for the message of You')(page).click()
      await page.getByRole('menuitem', { name: 'Select' }).click()
    },
  },
  dialog(
    'name of a filter',
    'features/saved/saved-filters.tsx',
    ofInstance('/chats?unread=true'),
    button('Save this filter'),
  ),
  {
    ...dialog('menu of kinds', 'features/composer/kind-menu.tsx', SCHEDULED, button(/Choose another kind$/)),
    shown: 'menu',
  },
  dialog('change of a scheduled message', 'pages/scheduled.tsx', SCHEDULED, button('Change')),
  dialog('end of a scheduled message', 'pages/scheduled.tsx', SCHEDULED, button('Do not send')),
  dialog('disconnection', 'pages/instance.tsx', ofInstance(''), button('Disconnect')),
  dialog('another token', 'features/settings/token.tsx', SETTINGS, button('Make another token')),
  {
    ...dialog('new token', 'features/settings/token.tsx', SETTINGS, button('Make another token')),
    async fill(shown, page) {
      await shown.getByRole('button', { name: 'Make another token' }).click()
      await page.getByRole('dialog', { name: 'The new token' }).waitFor()
    },
  },
  dialog('end of a queue', 'features/settings/queue.tsx', SETTINGS, button('Empty the queue')),
  dialog('call as curl', 'components/show-curl.tsx', SETTINGS, button('Show as curl')),
  dialog('reset', DANGER, SETTINGS, button('Open the connection again')),
  {
    ...dialog('call of a question as curl', 'components/show-curl.tsx', SETTINGS, inDialog('Show as curl')),
    prepare: (page) => button('Open the connection again')(page).click(),
  },
  dialog('disconnection for good', DANGER, SETTINGS, button('Disconnect')),
  dialog('export', DANGER, SETTINGS, button('Export to another installation')),
  dialog('deletion of the instance', DANGER, SETTINGS, button('Delete the instance')),
  dialog(
    'question before an operation',
    'features/playground/playground.tsx',
    ofInstance('/api?operation=resetInstance'),
    button('Run'),
  ),
  dialog('rights of a key', 'features/keys/key-list.tsx', KEYS, button(/^What can /)),
  dialog('deletion of a key', 'features/keys/key-list.tsx', KEYS, button(/^Delete the key /)),
  dialog('look as a key', 'features/keys/look-as.tsx', KEYS, button(/^Look as /)),
  dialog('end of a pass', 'features/keys/pass-list.tsx', KEYS, button(/^End the pass /)),
  {
    ...dialog('new key', 'features/keys/new-key.tsx', KEYS, button('Create the key')),
    prepare: (page) => page.getByLabel('Name', { exact: true }).fill('sends'),
  },
  ...records('a webhook', ofInstance('/webhooks'), 'New webhook', 'features/webhooks/endpoints.tsx'),
  {
    ...dialog('secret of a webhook', 'features/webhooks/endpoints.tsx', ofInstance('/webhooks'), button('New webhook')),
    async fill(shown, page) {
      await shown.getByLabel('Address', { exact: true }).fill('https://receiver.example/other')
      await shown.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('dialog', { name: 'Secret of the webhook' }).waitFor()
    },
  },
  ...records('an agent', ofInstance('/agents'), 'New agent'),
  ...records('a trigger', ofInstance('/agents?view=triggers'), 'New trigger'),
  ...records('a function', ofInstance('/functions'), 'New function'),
  dialog('trial of a function', 'features/agents/function-trial.tsx', ofInstance('/functions'), button('Try')),
  ...records('knowledge', ofInstance('/knowledge'), 'New entry'),
  ...records('a quick reply', ofInstance('/quick-replies'), 'New quick reply'),
  dialog('new group', 'features/groups/new-group.tsx', ofInstance('/groups'), button('New group')),
  dialog('join of a group', 'features/groups/join-group.tsx', ofInstance('/groups'), button('Join by link')),
  dialog('group', 'features/groups/group-list.tsx', ofInstance('/groups'), button('Open')),
  ofGroup('new link of a group', 'features/groups/group-details.tsx', 'Make a new link'),
  ofGroup('end in a group', 'features/groups/group-details.tsx', 'Leave'),
  ofGroup('removal of a member', 'features/groups/members.tsx', 'Remove', 'Choose +5511999990002'),
  {
    ...dialog('change of groups', 'features/groups/group-list.tsx', ofInstance('/groups'), button('Leave')),
    prepare: (page) => page.getByLabel('Choose Buyers').check(),
  },
  dialog('follow of a channel', 'features/channels/new-channel.tsx', ofInstance('/channels'), button('Follow by link')),
  dialog('new channel', 'features/channels/new-channel.tsx', ofInstance('/channels'), button('New channel')),
  {
    ...dialog('end of a follow', 'features/channels/channel-posts.tsx', ofInstance('/channels'), button('Unfollow')),
    prepare: (page) => page.getByRole('link', { name: /News/ }).click(),
  },
  dialog('new product', 'features/business/catalogue.tsx', ofInstance('/account?view=business'), button('New product')),
  dialog(
    'deletion of a product',
    'features/business/catalogue.tsx',
    ofInstance('/account?view=business'),
    button(/^Delete: /),
  ),
  dialog('ringing', 'features/calls/call-list.tsx', ofInstance('/account?view=calls'), button('Ring somebody')),
  dialog('link to a call', 'features/calls/call-list.tsx', ofInstance('/account?view=calls'), button('New link')),
  dialog('removal of a contact', 'features/contacts/contact-list.tsx', ofInstance('/contacts'), button(/^Remove /)),
  dialog('lead', 'pages/leads.tsx', ofInstance('/leads'), button('Edit')),
  dialog('daily cap of a campaign', 'features/campaigns/daily-cap.tsx', ofCampaign, button('Change the most on a day')),
  dialog('deletion of a campaign', 'pages/campaign.tsx', ofCampaign, button('Delete')),
  dialog('end of an opt-out', 'pages/opt-outs.tsx', ofInstance('/opt-outs'), button('Remove')),
]

/** Openings of deliveries, dead letters and agents' turns are in `hostile.browser.ts`. */
export const hostileOpenings: readonly Opening[] = [
  dialog('delivery', 'features/webhooks/deliveries.tsx', ofInstance('/webhooks?view=deliveries'), button('Open')),
  dialog('dead letter', DEAD_LETTERS, ofInstance('/webhooks?view=dead'), button('Open')),
  dialog('replay', DEAD_LETTERS, ofInstance('/webhooks?view=dead'), button('Replay')),
  dialog('turn of an agent', 'features/agents/turn-list.tsx', ofInstance('/agents?view=turns'), button('Open')),
  ofMessage('turn behind a message', 'You', 'Show how the agent came to it', 'features/conversation/message-trace.tsx'),
]
