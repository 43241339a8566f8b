// What these functions do is said by models.json only.
void *takeMemory(unsigned long bytes, void *stream);
void giveMemory(void *memory, void *stream);

int main() {
  void *memory = takeMemory(4096, nullptr);
  giveMemory(memory, nullptr);
  giveMemory(memory, nullptr);
  return 0;
}
