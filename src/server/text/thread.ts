import { answerTasks } from '../../threads/answer-tasks.ts';
import { textTasks } from './tasks.ts';

answerTasks(textTasks);
