/** The words of scheduled messages. The other languages have the same keys, or they do not compile. */
export const en = {
  title: 'Scheduled messages',
  state: 'State',
  states: {
    scheduled: 'Waiting',
    canceled: 'Canceled',
    failed: 'Failed',
    all: 'All',
  },
  when: 'Leaves',
  to: 'To',
  what: 'Message',
  status: 'State',
  actions: 'Actions',
  none: 'No message waits.',
  noneHelp: 'Write one below: it leaves at its time, also if this page is closed.',
  noMatch: 'No message has this state.',
  more: 'Show more',
  edit: 'Change',
  editTitle: 'Change the message',
  save: 'Save',
  text: 'Text',
  cancel: 'Do not send',
  cancelTitle: 'Take the message back?',
  cancelHelp: (to: string, when: string) => `The message to ${to} of ${when} will not be sent.`,
  new: 'New scheduled message',
  newTo: 'To',
  newToHelp: 'Number with country code, or the id of a group.',
  expires: (when: string) => `Not after ${when}`,
  asked: (local: string, zone: string) => `${local}, ${zone}`,
}

export type ScheduledWords = typeof en
