import { type Buyers, terms } from './industry.ts'

/** Who decides in a school or with a training provider, and how to begin a conversation worth their time. */
export const educationBuyers: Buyers = {
  roles: [
    {
      title: 'Head of school or principal',
      aliases:
        terms(`principal, head, head of school, headteacher, headmaster, director, dean, president, superintendent,
        ceo, founder, owner, rector, managing director, general manager`),
      cares: 'good teaching, staff who stay and families who recommend the school',
      objection: 'Teachers have been given new systems every year and are tired of them.',
      angle:
        'Promise to remove a task before adding a tool. Ask which list or letter teachers would be happiest to lose.',
    },
    {
      title: 'Business or operations manager',
      aliases:
        terms(`business manager, bursar, operations, coo, finance, cfo, operations manager, school administrator,
        administrator, office manager, registrar, finance director`),
      cares: 'predictable costs, complete records and an office that copes with September',
      objection: 'The budget is set once a year and there is no line for experiments.',
      angle:
        'Choose something that fits below the approval limit and ends a cost that is visible, such as printing, postage or overtime.',
    },
    {
      title: 'Head of admissions or marketing',
      aliases:
        terms(`admissions, enrollment, head of admissions, marketing, recruitment, communications, cmo, sales, growth,
        admissions director, outreach`),
      cares: 'full classes, quick answers and an honest picture of the school',
      objection: 'Families choose by personal impression, and automatic messages could spoil it.',
      angle:
        'Agree that the visit decides and talk about everything before it. Ask how an inquiry on Saturday evening is answered.',
    },
    {
      title: 'IT or digital learning lead',
      aliases:
        terms(`it, it director, cio, cto, digital learning, edtech, e-learning, technology, data protection, head of it,
        instructional designer, learning technologist`),
      cares: 'student privacy, single sign-on and few systems that talk to each other',
      objection: 'Each tool creates another export that someone has to run by hand.',
      angle:
        'Begin with the student system as the one source and explain what is read and written. Bring the data agreement along.',
    },
  ],
  hooks: [
    'Feedback loses most of its effect in the days before it is returned, so shortening the wait does more than lengthening the comment.',
    'Families write to schools in the evening; a reply on Thursday to a question from Sunday competes with a school that replied on Sunday.',
    'When an address changes and four lists have to follow, three of them do.',
  ],
  questions: [
    'How many days pass on average until students get written work back, and who decides that?',
    'What happens to an inquiry that arrives on Saturday evening?',
    'Which information about a student do you keep in more than two places?',
    'Which task would your teachers vote to abolish?',
    'Who makes the cover plan at half past six, and who does it when that person is ill?',
  ],
}
