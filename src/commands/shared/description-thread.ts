import { answerTasks } from '../../threads/answer-tasks.ts';
import { limitPatterns } from '../../openapi/index.ts';
import { descriptionTasks } from './description-tasks.ts';

limitPatterns();
answerTasks(descriptionTasks);
