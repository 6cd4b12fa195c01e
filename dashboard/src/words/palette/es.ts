import type { PaletteWords } from './en.js'

export const es: PaletteWords = {
  title: 'Ir a',
  label: 'Página, instancia o acción',
  results: 'Encontrados',
  page: 'página',
  ofThisInstance: 'página de esta instancia',
  instance: 'instancia',
  action: 'acción',
  chat: 'chat',
  showMissing: 'Mostrar instancias sin conexión',
  showUnread: 'Mostrar chats no leídos',
  showBoard: 'Mostrar el tablero de leads',
  newCampaign: 'Nueva campaña',
  showDead: 'Mostrar entregas abandonadas',
  nothing: 'Nada coincide.',
  found: (count) => (count === 1 ? '1 elemento' : `${count} elementos`),
}
