/** Dialogs and menus that must fit every reader: `pages.browser.ts` opens each by the keyboard. Add a line for each new one. */
import type { Locator, Page } from 'playwright-core'
import type { ListedPage } from './page-list.js'

export interface Opening {
  readonly name: string
  readonly path: ListedPage['path']
  readonly opener: (page: Page) => Locator
  readonly shown: 'dialog' | 'menu'
  /** Makes the page ready for it, such as by a choice of rows. */
  readonly prepare?: (page: Page) => Promise<void>
  /** Goes on inside of it, to where it has most. */
  readonly fill?: (shown: Locator, page: Page) => Promise<void>
}

const ofInstance =
  (rest: string): ListedPage['path'] =>
  ({ instance }) =>
    `/instances/${instance}${rest}`
const CHAT = ofInstance('/chats?chat=5511999990002%40s.whatsapp.net')
const SETTINGS = ofInstance('/settings')
const INSTANCES: ListedPage['path'] = () => '/instances'

const button =
  (name: string | RegExp): Opening['opener'] =>
  (page) =>
    page.getByRole('main').getByRole('button', { name, exact: true }).first()
const dialog = (name: string, path: ListedPage['path'], opener: Opening['opener']): Opening => ({
  name,
  path,
  opener,
  shown: 'dialog',
})

/** Makes, changes and deletes a record of a list. */
const records = (name: string, path: ListedPage['path'], add: string): readonly Opening[] => [
  dialog(`new ${name}`, path, button(add)),
  dialog(`change of ${name}`, path, button('Edit')),
  dialog(`deletion of ${name}`, path, button('Delete')),
]

/** The composer with the builder of one kind. */
const composer = (kind: string): Opening => ({
  ...dialog(`composer for ${kind}`, CHAT, button('More kinds of messages')),
  async fill(shown, page) {
    await shown.getByRole('button', { name: 'Choose another kind' }).click()
    await page.getByRole('menuitemradio', { name: kind, exact: true }).click()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  },
})

const bulk = (action: string): Opening => ({
  ...dialog(`${action} of instances`, INSTANCES, (page) =>
    page.getByRole('toolbar').getByRole('button', { name: action, exact: true }),
  ),
  prepare: (page) => page.getByLabel('Select Shop').check(),
})

export const openings: readonly Opening[] = [
  dialog(
    'palette',
    () => '/overview',
    (page) => page.getByRole('button', { name: 'Go to' }),
  ),
  dialog(
    'recent calls',
    () => '/overview',
    (page) => page.getByRole('button', { name: 'Calls of this page, as code' }),
  ),
  dialog('drain of a node', () => '/cluster', button(/^Drain /)),
  bulk('Reset'),
  bulk('Tag'),
  bulk('Delete'),
  {
    name: 'menu of a message',
    path: CHAT,
    opener: button('Actions for the message of Ana'),
    shown: 'menu',
  },
  { name: 'menu of a chat', path: CHAT, opener: button('Actions'), shown: 'menu' },
  ...['Document', 'Buttons', 'List', 'Poll', 'Carousel', 'Place', 'Contact'].map(composer),
  dialog('disconnection', ofInstance(''), button('Disconnect')),
  dialog('new token', SETTINGS, button('Make another token')),
  dialog('call as curl', SETTINGS, button('Show as curl')),
  dialog('reset', SETTINGS, button('Open the connection anew')),
  dialog('export', SETTINGS, button('Export to another installation')),
  dialog('deletion of the instance', SETTINGS, button('Delete the instance')),
  dialog('rights of a key', ofInstance('/keys'), button(/^What can /)),
  dialog('deletion of a key', ofInstance('/keys'), button(/^Delete the key /)),
  ...records('a webhook', ofInstance('/webhooks'), 'New webhook'),
  ...records('an agent', ofInstance('/agents'), 'New agent'),
  ...records('a trigger', ofInstance('/agents?view=triggers'), 'New trigger'),
  ...records('a function', ofInstance('/functions'), 'New function'),
  ...records('knowledge', ofInstance('/knowledge'), 'New entry'),
  ...records('a quick reply', ofInstance('/quick-replies'), 'New quick reply'),
  dialog('new group', ofInstance('/groups'), button('New group')),
  dialog('group', ofInstance('/groups'), button('Open')),
  {
    ...dialog('change of groups', ofInstance('/groups'), button('Leave')),
    prepare: (page) => page.getByLabel('Choose Buyers').check(),
  },
  dialog('change of a scheduled message', ofInstance('/scheduled'), button('Change')),
  dialog('end of a scheduled message', ofInstance('/scheduled'), button('Do not send')),
  dialog('lead', ofInstance('/leads'), button('Edit')),
  dialog(
    'daily cap of a campaign',
    ({ instance, campaign }) => `/instances/${instance}/campaigns/${campaign}`,
    button('Change the most on a day'),
  ),
  dialog(
    'deletion of a campaign',
    ({ instance, campaign }) => `/instances/${instance}/campaigns/${campaign}`,
    button('Delete'),
  ),
  dialog('end of an opt-out', ofInstance('/opt-outs'), button('Remove')),
]
