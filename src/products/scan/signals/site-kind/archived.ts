import type { Site } from '../../site/site.ts'

/** Whether most pages say that the site is an archive, and nothing will be added to it. */
export function isArchived({ pages }: Pick<Site, 'pages'>): boolean {
  const saying = pages.filter(({ text }) => archived.test(text.slice(0, 100_000))).length
  return saying >= 2 && saying * 2 >= pages.length
}

const archived =
  /(?<!\p{L})(?:(?:this|the) (?:site|website|page|blog) (?:is|has been) (?:now |kept as )?(?:an archive|archived)|(?:will not|won['’]t|will no longer) be updated|(?:is )?kept as an archive|(?:is )?no longer (?:maintained|updated)|wird nicht mehr (?:aktualisiert|gepflegt)|n['’]est plus mis à jour|ya no se actualiza|non (?:è|viene) più aggiornato)(?!\p{L})/iu
