import type { RecordWords } from './en.js'

export const es: RecordWords = {
  edit: 'Editar',
  editTitle: (name) => `Cambiar «${name}»`,
  save: 'Guardar',
  saved: 'Guardado.',
  remove: 'Eliminar',
  removeTitle: (name) => `¿Eliminar «${name}»?`,
  actions: 'Acciones',
  yes: 'Sí',
  no: 'No',
}
