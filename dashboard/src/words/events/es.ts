import type { EventWords } from './en.js'

export const es: EventWords = {
  title: 'Eventos',
  help: 'Los eventos aparecen aquí cuando ocurren y se conservan mientras esta página está abierta. Mirar no cambia nada.',
  kinds: 'Tipos (sin elegir: todos)',
  search: 'Eventos con este texto',
  pause: 'Pausa',
  resume: 'Continuar',
  clear: 'Vaciar',
  count: (all, shown) => `${all} llegaron, ${shown} a la vista`,
  missed: (count) => `En pausa: ${count} sin conservar`,
  none: 'Ningún evento todavía. Escriba a la cuenta desde un teléfono.',
  choose: 'Elija un evento para abrirlo.',
  cut: 'Este evento es demasiado grande para mostrarlo como árbol.',
  raw: 'Como texto',
}
