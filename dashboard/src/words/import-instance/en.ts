/** The words of the import of an instance. The other languages have the same keys, or they do not compile. */
export const en = {
  help: 'The account of the file runs here afterwards, under the same id and token. Where it was exported it stays off.',
  file: 'File of the export',
  fileHelp: (size: string) => `At most ${size}.`,
  tooLarge: (size: string) => `Must be at most ${size}.`,
  passphrase: 'Passphrase of the file',
  connect: 'Connect it at once',
  submit: 'Import',
}

export type ImportWords = typeof en
