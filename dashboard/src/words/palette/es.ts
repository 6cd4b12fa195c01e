import type { PaletteWords } from './en.js'

export const es: PaletteWords = {
  title: 'Ir a',
  label: 'Página, instancia o acción',
  results: 'Encontrados',
  page: 'página',
  ofThisInstance: 'página de esta instancia',
  instance: 'instancia',
  action: 'acción',
  nothing: 'Nada coincide.',
  found: (count) => (count === 1 ? '1 elemento' : `${count} elementos`),
}
