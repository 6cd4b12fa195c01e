/** The words of the first message of an instance. The other languages have the same keys, or they do not compile. */
export const en = {
  title: 'Send a first message',
  help: 'To your own number at first, or to any other.',
  to: 'To',
  text: 'Text',
  hello: 'Hello from Posthorn',
  send: 'Send',
  asCurl: 'The same from your code',
  conversation: 'Latest messages',
  nothing: 'What you send, and what comes back, appears here.',
  you: 'You',
  noText: (kind: string) => `(${kind})`,
  status: {
    scheduled: 'scheduled',
    queued: 'queued',
    pending: 'on its way',
    sent: 'sent',
    delivered: 'delivered',
    read: 'read',
    played: 'played',
    failed: 'failed',
    canceled: 'canceled',
    deleted: 'deleted',
  } as Readonly<Record<string, string>>,
}

export type FirstMessageWords = typeof en
