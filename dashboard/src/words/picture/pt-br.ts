import type { PictureWords } from './en.js'

export const ptBr: PictureWords = {
  picture: 'Foto',
  file: 'Nova foto',
  fileHelp: (size) => `JPEG, PNG, WebP ou GIF, no máximo ${size}. Um quadrado do centro é recortado.`,
  tooLarge: (size) => `Deve ter no máximo ${size}.`,
  save: 'Salvar a foto',
  remove: 'Remover a foto',
  done: 'Salvo.',
}
