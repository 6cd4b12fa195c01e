/** The words of lists that are edited. The other languages have the same keys, or they do not compile. */
export const en = {
  edit: 'Edit',
  editTitle: (name: string) => `Change “${name}”`,
  save: 'Save',
  saved: 'Saved.',
  remove: 'Delete',
  removeTitle: (name: string) => `Delete “${name}”?`,
  actions: 'Actions',
  yes: 'Yes',
  no: 'No',
}

export type RecordWords = typeof en
