import type { SavedWords } from './en.js'

export const es: SavedWords = {
  saved: 'Filtros guardados',
  choose: 'Filtros guardados…',
  save: 'Guardar este filtro',
  forget: 'Olvidar este filtro',
  name: 'Nombre del filtro',
  nameHelp: 'Queda en este navegador, también después de salir.',
  keep: 'Guardar',
  full: (max) => `Hay ${max} filtros guardados. Olvide uno antes.`,
  notKept: 'Este navegador no guarda nada para esta página.',
}
