import type { PictureWords } from './en.js'

export const es: PictureWords = {
  picture: 'Foto',
  file: 'Nueva foto',
  fileHelp: (size) => `JPEG, PNG, WebP o GIF, como máximo ${size}. Se recorta un cuadrado del centro.`,
  tooLarge: (size) => `Debe tener como máximo ${size}.`,
  save: 'Guardar la foto',
  remove: 'Quitar la foto',
  done: 'Guardado.',
}
