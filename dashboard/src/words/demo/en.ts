/** The words of the phones of the demo. The other languages have the same keys, or they do not compile. */
export const en = {
  title: 'The two phones',
  help: 'The simulated network plays both. What you write here comes from the phone itself.',
  phoneOf: (name: string) => `Phone of ${name}`,
  messages: (name: string) => `Messages on the phone of ${name}`,
  writeTo: (from: string, to: string) => `${from} writes to ${to}`,
  send: 'Send',
  scanWith: (name: string) => `Scan with ${name}’s phone`,
  typeOn: (name: string) => `Type it on ${name}’s phone`,
}

export type DemoWords = typeof en
