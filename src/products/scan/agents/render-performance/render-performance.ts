import { onlyForHtml } from '../../findings/document.ts'
import { needsHome, needsPages } from '../../findings/needs.ts'
import { unlessShell } from '../../findings/scripted/shell.ts'
import type { Agent } from '../agent.ts'
import { judgeCounters } from './counters.ts'
import { judgeCompression, judgeFirstByte, judgeProtocol, judgeStaticCache } from './delivery.ts'
import { judgeImages } from './image-sizes.ts'
import { judgeShell } from './js-shell.ts'
import { judgeLinkedFiles } from './linked-files.ts'
import { judgeHeadScripts, judgeHtmlSize, judgeTextSize, judgeViewport } from './page-load.ts'

/**
 * What a page costs an agent before its text is there: time, bytes and reading. Agents fetch without a
 * browser, time out early and cut long pages. They never see content that arrives later or beyond the cut.
 */
export const renderPerformance: Agent = {
  id: 'render-performance',
  name: 'Rendering and speed',
  checks: [
    {
      id: 'js-shell',
      title: 'The text is there without JavaScript',
      weight: 5,
      run: onlyForHtml(judgeShell),
    },
    { id: 'ttfb', title: 'The server answers quickly', weight: 3, run: judgeFirstByte },
    {
      id: 'html-size',
      title: 'Pages are small to load',
      weight: 2,
      run: onlyForHtml(needsPages(judgeHtmlSize)),
    },
    {
      id: 'text-size',
      title: 'Pages are short enough to read',
      weight: 2,
      run: onlyForHtml(needsPages(judgeTextSize)),
    },
    {
      id: 'compression',
      title: 'HTML is sent compressed',
      weight: 2,
      run: onlyForHtml(needsHome(judgeCompression)),
    },
    {
      id: 'head-scripts',
      title: 'Few scripts block the page',
      weight: 2,
      run: onlyForHtml(needsHome(judgeHeadScripts)),
    },
    {
      id: 'img-dims',
      title: 'Images state their size',
      weight: 2,
      run: onlyForHtml(needsPages(judgeImages)),
    },
    {
      id: 'linked-files',
      title: 'Styles and scripts are there',
      weight: 2,
      run: onlyForHtml(needsPages((_pages, site) => judgeLinkedFiles(site))),
    },
    {
      id: 'counters',
      title: 'Figures do not wait for a script',
      weight: 1,
      run: onlyForHtml(unlessShell(needsPages(judgeCounters))),
    },
    { id: 'static-cache', title: 'Static files may be kept', weight: 1, run: judgeStaticCache },
    {
      id: 'viewport',
      title: 'The page fits small screens',
      weight: 1,
      run: onlyForHtml(needsHome(judgeViewport)),
    },
    { id: 'protocol', title: 'Many requests share a connection', weight: 1, run: judgeProtocol },
  ],
}
