import type { RecordWords } from './en.js'

export const ptBr: RecordWords = {
  edit: 'Editar',
  editTitle: (name) => `Alterar “${name}”`,
  save: 'Salvar',
  saved: 'Salvo.',
  remove: 'Excluir',
  removeTitle: (name) => `Excluir “${name}”?`,
  actions: 'Ações',
  yes: 'Sim',
  no: 'Não',
}
