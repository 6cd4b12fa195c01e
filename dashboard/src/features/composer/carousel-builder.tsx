import { fieldLimits, menuLimits } from '../../api/limits.js'
import { SelectField } from '../../components/field.js'
import { useComposerWords } from '../../words/composer/index.js'
import { BuilderRows } from './builder-rows.js'
import { type CardDraft, type CardMedia, cardMedia, makeCard } from './draft.js'
import { FilePart } from './file-part.js'
import { ButtonRows } from './menu-builders.js'
import type { BuilderProps } from './message-editor.js'
import { replaceRow } from './rows.js'
import { TextBox } from './text-box.js'

const ACCEPT: Partial<Record<CardMedia, string>> = { image: 'image/*', video: 'video/*' }

export function CarouselBuilder({ draft, change, wrong, names, maxBytes, onlyPictures = false }: BuilderProps) {
  const composer = useComposerWords()
  const { cards } = draft
  return (
    <BuilderRows
      rows={cards}
      onChange={(next) => change({ cards: next })}
      max={menuLimits.cards}
      name={composer.card}
      add={composer.addCard}
      create={makeCard}
      wrongAt={(index) => wrong(`cards.${index}`)}
    >
      {(card, index) => {
        const set = (part: Partial<CardDraft>) => change({ cards: replaceRow(cards, index, { ...card, ...part }) })
        return (
          <>
            <TextBox
              label={composer.cardText}
              rows={2}
              maxLength={menuLimits.label}
              names={names}
              value={card.text}
              onChange={(text) => set({ text })}
            />
            {onlyPictures ? null : (
              <SelectField
                label={composer.cardShows}
                value={card.shows}
                onChange={({ target }) =>
                  set({ shows: cardMedia.find((one) => one === target.value) ?? 'image', file: null })
                }
              >
                {cardMedia.map((one) => (
                  <option key={one} value={one}>
                    {composer.kinds[one]}
                  </option>
                ))}
              </SelectField>
            )}
            <FilePart
              label={composer.kinds[card.shows]}
              accept={ACCEPT[card.shows]}
              maxBytes={maxBytes}
              maxLength={fieldLimits.menu.imageButton.maxLength}
              wrong={wrong(`cards.${index}.file`)}
              file={card.file}
              onChange={(file) => set({ file })}
            />
            <ButtonRows
              buttons={card.buttons}
              onChange={(buttons) => set({ buttons })}
              max={menuLimits.cardButtons}
              wrongAt={(button) => wrong(`cards.${index}.buttons.${button}`)}
            />
          </>
        )
      }}
    </BuilderRows>
  )
}
