/** Why knowledge was not read or has no vectors, in each language, by the code of the API. */
import { makeWordsHook } from '../index.js'

const en = {
  no_embeddings: 'No provider of this account makes vectors, so it is found by its words.',
  provider_away: 'The provider does not answer.',
  provider_refused: 'The provider makes no vectors of it.',
  provider_key: 'The provider does not accept the key.',
  provider_quota: 'The account at the provider has no credit left.',
  provider_address: 'The address of the provider cannot be used.',
  budget: 'The limit of the day is reached.',
  url: 'The address could not be fetched.',
  url_not_allowed: 'The address is not allowed.',
  content: 'This kind of content cannot be read.',
  unreadable: 'The text could not be read.',
  too_much: 'The account has as much knowledge as it may have.',
  interrupted: 'Reading it was interrupted too often. Edit it to have it read again.',
  internal: 'An error of the gateway.',
}

const ptBr: typeof en = {
  no_embeddings: 'Nenhum provedor desta conta gera vetores, por isso a busca é pelas palavras.',
  provider_away: 'O provedor não responde.',
  provider_refused: 'O provedor não gera vetores para isto.',
  provider_key: 'O provedor não aceita a chave.',
  provider_quota: 'A conta no provedor está sem crédito.',
  provider_address: 'O endereço do provedor não pode ser usado.',
  budget: 'O limite do dia foi atingido.',
  url: 'Não foi possível buscar o endereço.',
  url_not_allowed: 'O endereço não é permitido.',
  content: 'Este tipo de conteúdo não pode ser lido.',
  unreadable: 'Não foi possível ler o texto.',
  too_much: 'A conta já tem o máximo de conhecimento.',
  interrupted: 'A leitura foi interrompida vezes demais. Edite para que seja lido de novo.',
  internal: 'Um erro do gateway.',
}

const es: typeof en = {
  no_embeddings: 'Ningún proveedor de esta cuenta genera vectores, por eso se busca por las palabras.',
  provider_away: 'El proveedor no responde.',
  provider_refused: 'El proveedor no genera vectores para esto.',
  provider_key: 'El proveedor no acepta la clave.',
  provider_quota: 'La cuenta del proveedor no tiene crédito.',
  provider_address: 'La dirección del proveedor no se puede usar.',
  budget: 'Se alcanzó el límite del día.',
  url: 'No se pudo obtener la dirección.',
  url_not_allowed: 'La dirección no está permitida.',
  content: 'Este tipo de contenido no se puede leer.',
  unreadable: 'No se pudo leer el texto.',
  too_much: 'La cuenta ya tiene el máximo de conocimiento.',
  interrupted: 'La lectura se interrumpió demasiadas veces. Edítalo para que se lea de nuevo.',
  internal: 'Un error del gateway.',
}

/** Returns the sentence for a code; empty when an older gateway sent none, or a newer one another. */
export function useKnowledgeReason(): (code: string) => string {
  const sentences = useSentences()
  return (code) => (sentences as Readonly<Record<string, string>>)[code] ?? ''
}

const useSentences = makeWordsHook({ 'pt-BR': ptBr, es, en })
