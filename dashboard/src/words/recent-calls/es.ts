import type { RecentCallWords } from './en.js'

export const es: RecentCallWords = {
  title: 'Llamadas de esta página',
  help: 'Lo último que se hizo aquí, como lo haría una aplicación. Sin los secretos.',
  withReads: 'También lo que solo se leyó',
  none: 'Aquí todavía no se cambió nada.',
}
