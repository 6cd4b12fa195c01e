/** The words of pictures that people change. The other languages have the same keys, or they do not compile. */
export const en = {
  picture: 'Picture',
  file: 'New picture',
  fileHelp: (size: string) => `JPEG, PNG, WebP or GIF, at most ${size}. Its middle is cut out as a square.`,
  tooLarge: (size: string) => `Must be at most ${size}.`,
  save: 'Save the picture',
  remove: 'Remove the picture',
  done: 'Saved.',
}

export type PictureWords = typeof en
