import type { SavedWords } from './en.js'

export const ptBr: SavedWords = {
  saved: 'Filtros salvos',
  choose: 'Filtros salvos…',
  save: 'Salvar este filtro',
  forget: 'Esquecer este filtro',
  name: 'Nome do filtro',
  nameHelp: 'Fica guardado neste navegador, mesmo depois de sair.',
  keep: 'Salvar',
  full: (max) => `Há ${max} filtros salvos. Esqueça um antes.`,
  notKept: 'Este navegador não guarda nada para esta página.',
}
