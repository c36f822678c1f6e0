import { answerTasks } from '../../threads/answer-tasks.ts';
import { descriptionTasks } from './description-tasks.ts';

answerTasks(descriptionTasks);
