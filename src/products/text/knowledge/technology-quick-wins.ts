import type { QuickWin } from './industry.ts'

/** First steps for a software company, each with a figure to read after a week or two. */
export const technologyQuickWins: readonly QuickWin[] = [
  {
    title: 'Give the ten most frequent tickets one approved answer each',
    opportunity: 'support-triage',
    why: 'A short list of good answers is useful at once and is the base of every later automation.',
    steps: [
      'Export the tickets of the last thirty days and tag each with one of fifteen subjects.',
      'Take the ten subjects with the most tickets and write one approved answer with a link for each.',
      'Add them as saved replies with a name that starts with the subject.',
      'Add a form field for the version and the account, so that nobody has to ask again.',
      'Count after a week how many tickets were closed with a saved reply.',
    ],
  },
  {
    title: 'Add one line for users to every pull request',
    opportunity: 'release-docs',
    why: 'It costs the author a minute and takes the guessing out of release day.',
    steps: [
      'Add a field called “What users will notice” to the pull request template.',
      'Let the pipeline fail when the field is empty and the change is not marked as internal.',
      'Collect the lines since the last tag into a draft with a small script.',
      'Let one person edit the draft on release day and publish it.',
    ],
  },
  {
    title: 'Open a task when weekly use of an account halves',
    opportunity: 'renewal-signals',
    why: 'One plain rule catches many cancellations early and needs no prediction model.',
    steps: [
      'Choose the one event that shows that an account gets value.',
      'Compare the count of the last seven days with the average of the four weeks before.',
      'Open a task for the owner of the account when it falls by half.',
      'Write down what the owner found, so that the rule can be improved after a month.',
    ],
  },

  {
    title: 'Find the step at which trials stop',
    opportunity: 'trial-activation',
    why: 'One chart of five steps shows where help is needed, before a single message is written.',
    steps: [
      'Write down the five steps from sign-up to the first real result.',
      'Count for last month’s trials how many reached each step.',
      'Look at three recordings or call three people who stopped at the largest drop.',
      'Put one hint or one personal message at that step.',
      'Compare the next two weeks with the count.',
    ],
  },
  {
    title: 'Put the owner of every service into one file',
    opportunity: 'incident-response',
    why: 'Knowing whom to call saves the first ten minutes of every incident.',
    steps: [
      'List the services that can wake someone up.',
      'Write a team and a person beside each, and settle the ones nobody claims.',
      'Link the file from every alert text.',
      'Delete the one alert that fired most often without needing anybody.',
    ],
  },
  {
    title: 'Collect the fifty answers you give most often',
    opportunity: 'security-questionnaires',
    why: 'The last three questionnaires already contain most of the next one.',
    steps: [
      'Take the last three questionnaires and put equal questions together.',
      'Choose the best answer for each of the first fifty and name a source for it.',
      'Add an owner and a date after which the answer has to be checked again.',
      'Fill in the next questionnaire from the list and note what is missing.',
    ],
  },
]
