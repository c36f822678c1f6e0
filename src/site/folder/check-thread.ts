import { answerTasks } from '../../threads/answer-tasks.ts';
import { checkTasks } from './check-tasks.ts';

answerTasks(checkTasks);
