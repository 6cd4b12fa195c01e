/** Pages of the dashboard that must fit every reader: `pages.browser.ts` opens each. Add a line for each new page. */

/** Things that the pages show. */
export interface Shown {
  /** A connected instance with a chat. */
  readonly instance: string
  /** A campaign of it that waits. */
  readonly campaign: string
}

export interface ListedPage {
  readonly name: string
  /** Path below `/dashboard`, for an administrator. */
  readonly path: (shown: Shown) => string
  /** Heading of level 1 that is there when the page has its data. */
  readonly heading: string
  /** Text that appears with the data, if the heading is there before. */
  readonly text?: string
  /** True for a page of people who are not signed in. */
  readonly isOpen?: boolean
}

export const listedPages: readonly ListedPage[] = [
  { name: 'sign-in', path: () => '/sign-in', heading: 'Sign in', isOpen: true },
  { name: 'overview', path: () => '/overview', heading: 'Overview', text: 'Waiting time of calls' },
  { name: 'cluster', path: () => '/cluster', heading: 'Cluster', text: 'Where is an instance?' },
  { name: 'instances', path: () => '/instances', heading: 'Instances', text: 'Shop' },
  { name: 'new instance', path: () => '/instances/new', heading: 'New instance' },
  {
    name: 'connection',
    path: ({ instance }) => `/instances/${instance}`,
    heading: 'Connection',
    text: 'Send a first message',
  },
  {
    name: 'scheduled messages',
    path: ({ instance }) => `/instances/${instance}/scheduled`,
    heading: 'Scheduled messages',
    text: 'No message waits.',
  },
  { name: 'webhook of all', path: () => '/webhooks', heading: 'Webhook of all instances', text: 'Edit' },
  {
    name: 'webhooks',
    path: ({ instance }) => `/instances/${instance}/webhooks`,
    heading: 'Webhooks',
    text: 'Send a test',
  },
  {
    name: 'deliveries of webhooks',
    path: ({ instance }) => `/instances/${instance}/webhooks?view=deliveries`,
    heading: 'Webhooks',
    text: 'Nothing was delivered yet.',
  },
  {
    name: 'dead letters',
    path: ({ instance }) => `/instances/${instance}/webhooks?view=dead`,
    heading: 'Webhooks',
    text: 'There is no dead letter.',
  },
  {
    name: 'signature of webhooks',
    path: ({ instance }) => `/instances/${instance}/webhooks?view=signature`,
    heading: 'Webhooks',
    text: 'Code for your receiver',
  },
  {
    name: 'API',
    path: ({ instance }) => `/instances/${instance}/api?operation=sendMenu`,
    heading: 'API',
    text: 'As code',
  },
  {
    name: 'log of calls',
    path: ({ instance }) => `/instances/${instance}/api?view=log`,
    heading: 'API',
    text: 'Only failed calls',
  },
  {
    name: 'conversations',
    path: ({ instance }) => `/instances/${instance}/chats?chat=5511999990002%40s.whatsapp.net`,
    heading: 'Ana',
    text: 'Hello',
  },
  {
    name: 'contacts',
    path: ({ instance }) => `/instances/${instance}/contacts`,
    heading: 'Contacts',
    text: 'Which numbers have WhatsApp?',
  },
  {
    name: 'leads',
    path: ({ instance }) => `/instances/${instance}/leads`,
    heading: 'Leads',
    text: '1 lead',
  },
  {
    name: 'board of leads',
    path: ({ instance }) => `/instances/${instance}/leads?view=board`,
    heading: 'Leads',
    text: 'Without status',
  },
  {
    name: 'conversation beside the board',
    path: ({ instance }) => `/instances/${instance}/leads?view=board&chat=5511999990002%40s.whatsapp.net`,
    heading: 'Leads',
    text: 'Hello',
  },
  {
    name: 'groups',
    path: ({ instance }) => `/instances/${instance}/groups`,
    heading: 'Groups',
    text: 'The account is in no group',
  },
  {
    name: 'labels',
    path: ({ instance }) => `/instances/${instance}/groups?view=labels`,
    heading: 'Groups',
    text: 'New label',
  },
  {
    name: 'account',
    path: ({ instance }) => `/instances/${instance}/account`,
    heading: 'Account',
    text: 'Who sees the picture',
  },
  {
    name: 'business',
    path: ({ instance }) => `/instances/${instance}/account?view=business`,
    heading: 'Account',
    text: 'Catalogue',
  },
  {
    name: 'calls',
    path: ({ instance }) => `/instances/${instance}/account?view=calls`,
    heading: 'Account',
    text: 'There is no call yet.',
  },
  {
    name: 'agents',
    path: ({ instance }) => `/instances/${instance}/agents`,
    heading: 'Agents',
    text: 'There is no agent yet',
  },
  {
    name: 'triggers',
    path: ({ instance }) => `/instances/${instance}/agents?view=triggers`,
    heading: 'Agents',
    text: 'There is no trigger yet',
  },
  {
    name: 'settings of agents',
    path: ({ instance }) => `/instances/${instance}/agents?view=settings`,
    heading: 'Agents',
    text: 'Save',
  },
  {
    name: 'playground',
    path: ({ instance }) => `/instances/${instance}/agents?view=playground`,
    heading: 'Agents',
    text: 'There is no agent yet',
  },
  {
    name: 'turns',
    path: ({ instance }) => `/instances/${instance}/agents?view=turns`,
    heading: 'Agents',
    text: 'No turn yet',
  },
  {
    name: 'knowledge',
    path: ({ instance }) => `/instances/${instance}/knowledge`,
    heading: 'Knowledge',
    text: 'There is no knowledge yet',
  },
  {
    name: 'functions',
    path: ({ instance }) => `/instances/${instance}/functions`,
    heading: 'Functions',
    text: 'There is no function yet',
  },
  {
    name: 'quick replies',
    path: ({ instance }) => `/instances/${instance}/quick-replies`,
    heading: 'Quick replies',
    text: 'There is no quick reply yet',
  },
  {
    name: 'Chatwoot',
    path: ({ instance }) => `/instances/${instance}/chatwoot`,
    heading: 'Chatwoot',
    text: 'Access token',
  },
  {
    name: 'events',
    path: ({ instance }) => `/instances/${instance}/events`,
    heading: 'Events',
    text: 'No event yet',
  },
  {
    name: 'keys',
    path: ({ instance }) => `/instances/${instance}/keys`,
    heading: 'Keys',
    text: 'the administrator’s token',
  },
  {
    name: 'settings',
    path: ({ instance }) => `/instances/${instance}/settings`,
    heading: 'Settings',
    text: 'Reject calls of people',
  },
  { name: 'audit', path: () => '/audit', heading: 'Audit log', text: 'initInstance' },
  { name: 'audit of everything', path: () => '/audit?all=true', heading: 'Audit log', text: 'openInstancePass' },
  {
    name: 'campaigns',
    path: ({ instance }) => `/instances/${instance}/campaigns`,
    heading: 'Campaigns',
    text: 'Offers',
  },
  {
    name: 'campaign',
    path: ({ instance, campaign }) => `/instances/${instance}/campaigns/${campaign}`,
    heading: 'Offers',
    text: 'Recipients',
  },
  {
    name: 'new campaign',
    path: ({ instance }) => `/instances/${instance}/campaigns/new`,
    heading: 'New campaign',
  },
  {
    name: 'opt-outs',
    path: ({ instance }) => `/instances/${instance}/opt-outs`,
    heading: 'Opt-outs',
    text: 'Nobody has opted out.',
  },
]
