/** The words of the window that finds pages, instances and actions. The other languages have the same keys, or they do not compile. */
export const en = {
  title: 'Go to',
  label: 'Page, instance or action',
  results: 'Found',
  page: 'page',
  ofThisInstance: 'page of this instance',
  instance: 'instance',
  action: 'action',
  chat: 'chat',
  showMissing: 'Show instances that are not connected',
  showUnread: 'Show unread chats',
  showBoard: 'Show the board of leads',
  newCampaign: 'New campaign',
  showDead: 'Show dead letters',
  nothing: 'Nothing fits.',
  found: (count: number) => (count === 1 ? '1 entry' : `${count} entries`),
}

export type PaletteWords = typeof en
