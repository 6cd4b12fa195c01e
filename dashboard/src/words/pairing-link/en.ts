/** The words of links that only pair an instance. The other languages have the same keys, or they do not compile. */
export const en = {
  title: (name: string) => `Link a phone to “${name}”`,
  help: 'With this page the account of your phone is linked to the gateway. It can do nothing else.',
  until: (time: string) => `This page works until ${time}.`,
  done: 'The phone is linked. You can close this page.',
  ended: 'This link was used already, or it has ended. Ask for a new one.',
  make: 'Link to pair',
  makeTitle: 'Let somebody else pair',
  makeHelp:
    'The link shows the code for this instance and nothing else. It works once, within 15 minutes, and ends when you sign out.',
}

export type PairingLinkWords = typeof en
