/** The words of albums that are sent, in all languages. */
import { makeWordsHook } from './index.js'

const en = { together: 'Together, as one album' }

export const useAlbumWords = makeWordsHook<typeof en>({
  'pt-BR': { together: 'Juntas, como um álbum' },
  es: { together: 'Juntas, como un álbum' },
  en,
})
