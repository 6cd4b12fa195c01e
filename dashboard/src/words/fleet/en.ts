/** The words of the pages of administrators. The other languages have the same keys, or they do not compile. */
export const en = {
  needsAdmin: 'Only the administrator’s token may see this page.',
  withReads: 'Also show what only reads, and sign-ins',
  never: 'never',
  more: 'More',
  kept: (days: number) =>
    days === 0
      ? 'Messages and events are kept for good (RETENTION_DAYS).'
      : `Messages and events are deleted after ${days} days (RETENTION_DAYS).`,
  docsHelp: 'every operation, to read and to try.',
  needs: 'Needs your attention',
  noNeeds: 'All is well: nothing needs your attention.',
  missing: (count: number) =>
    count === 1
      ? '1 instance is not connected, though it should be.'
      : `${count} instances are not connected, though they should be.`,
  waiting: (count: number, minutes: number) =>
    `${count} events wait for a webhook that does not take them, the oldest for ${minutes} minutes.`,
  deadLetters: (count: number) =>
    count === 1
      ? '1 event was given up: its webhook never took it.'
      : `${count} events were given up: their webhooks never took them.`,
  failedSends: (count: number) =>
    count === 1 ? '1 message was not sent in the last hour.' : `${count} messages were not sent in the last hour.`,
  webhookOfAll: 'the webhook of all instances',
  sendsWaiting: 'Sends that wait',
  sendsScheduled: 'Scheduled messages',
  deliveriesWaiting: 'Deliveries that wait',
  failedAttempts: 'Failed deliveries of the last hour',
  nodeHours: 'The last hour of each node',
  nodeHoursHelp: 'How busy each machine was, minute by minute. Low and even lines are good.',
  nodeFigures: {
    lag: 'Waiting time of calls',
    memory: 'Memory',
    commit: 'Time to save',
    journalWaiting: 'Not saved yet',
  },
  hourOf: (name: string, node: string, newest: string, most: string) =>
    `${name}, ${node}: now ${newest}, at most ${most} in the last hour`,
  longestStop: (length: string, time: string, work: string, instance: string) =>
    `Longest stop: ${length} at ${time}${work === '' ? '' : `, during ${work}`}${instance === '' ? '' : ` of ${instance}`}`,
  noReading: 'no answer',
  grafanaHelp: 'the metrics of all nodes, over a longer time.',
  nodes: 'Nodes',
  node: 'Node',
  state: 'State',
  nodeStates: { active: 'active', draining: 'draining', silent: 'silent', dead: 'dead' },
  storeStates: {
    outdated: 'This node uses an old primary of PostgreSQL. It serves no instance until it reaches the new one.',
    foreign: 'This node uses another database than the other nodes. It serves no instance.',
    behind: 'PostgreSQL went back in time. The nodes are about to start again.',
  },
  storeWentBack: {
    failover: (from: string, until: string) =>
      `PostgreSQL failed over to a server without its last commits. Messages and settings from ${from} to ${until} may be missing.`,
    restore: (from: string, until: string) =>
      `PostgreSQL continues from an older copy. Messages and settings from ${from} to ${until} may be missing.`,
  },
  storeNoticed: (at: string, node: string) => `Noticed at ${at} by ${node}.`,
  unknownTime: 'an unknown time',
  version: 'Version',
  shards: 'Parts',
  instances: 'Instances',
  lastSeen: 'Last seen',
  actions: 'Actions',
  drain: 'Drain',
  drainOf: (node: string) => `Drain ${node}`,
  drainHelp: (shards: string, instances: string, others: number) =>
    `${instances} instances in ${shards} parts move to ${others} other nodes. Each is away for a moment. The node gets none back until it restarts.`,
  drainAlone: 'No other node can take them: this one keeps them until another comes.',
  left: (shards: number, instances: number) => `${shards} parts with ${instances} instances are left`,
  drained: 'Empty: it can be stopped.',
  noOwner: 'no owner',
  shardTitle: (shard: number, node: string, instances: number) => `Part ${shard}: ${node}, ${instances} instances`,
  whereIs: 'Where is an instance?',
  whereLabel: 'Name, number or id',
  find: 'Find',
  noEntries: 'No entry fits.',
  newest: 'To the newest',
  older: 'Older',
  operation: 'Operation',
  subject: 'About',
  pass: 'Pass',
  fromDay: 'Since',
  filter: 'Filter',
  clear: 'Clear',
  at: 'When',
  who: 'Who',
  outcome: 'Outcome',
  request: 'Request, address',
  underWay: 'no answer',
  actors: { admin: 'administrator', token: 'token', key: 'key', unknown: 'unknown', node: 'node' },
  passOf: (id: string) => `pass ${id}`,
}

export type FleetWords = typeof en
