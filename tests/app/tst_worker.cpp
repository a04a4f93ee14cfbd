// The worker over its pipes: what the window says to it and what comes back.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "core/wire/jobs.h"
#include "tests/app/cli_process.h"
#include "tests/app/hdf5_fixture.h"

namespace {

using ks::tests::CliProcess;
using ks::tests::Hdf5Fixture;
using ks::tests::TemporaryFolder;
using ks::wire::Message;

std::string text_of(const Message& message) {
    const std::vector<std::byte> bytes = ks::wire::encode(message);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Message of_type(const char* type) {
    Message message;
    message.header["type"] = type;
    return message;
}

std::vector<Message> messages_in(const std::string& text) {
    ks::wire::Decoder decoder;
    decoder.feed(std::as_bytes(std::span(text)));
    std::vector<Message> list;
    while (auto message = decoder.next()) list.push_back(std::move(*message));
    return list;
}

const Message* find(const std::vector<Message>& messages, const std::string& type) {
    for (const Message& message : messages)
        if (message.type() == type) return &message;
    return nullptr;
}

/// A conversation whose answers are read as they come; input and output are pipes, as the window uses them.
class Worker {
  public:
    Worker() {
        if (pipe(to_) != 0 || pipe(from_) != 0) throw std::runtime_error("no pipe");
        pid_ = fork();
        if (pid_ == 0) {
            dup2(to_[0], STDIN_FILENO);
            dup2(from_[1], STDOUT_FILENO);
            for (const int end : {to_[0], to_[1], from_[0], from_[1]}) close(end);
            execl(KERNELSCOPE_CLI, KERNELSCOPE_CLI, "worker", nullptr);
            _exit(127);
        }
        close(to_[0]);
        close(from_[1]);
    }
    ~Worker() {
        close(from_[0]);
        if (to_[1] >= 0) close(to_[1]);
        if (pid_ > 0) {
            kill(pid_, SIGKILL);
            waitpid(pid_, nullptr, 0);
        }
    }
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    void say(const Message& message) {
        const std::string text = text_of(message);
        for (std::size_t at = 0; at < text.size();) {
            const ssize_t n = write(to_[1], text.data() + at, text.size() - at);
            if (n <= 0) throw std::runtime_error("the worker does not listen");
            at += static_cast<std::size_t>(n);
        }
    }
    /// The next message of one of these types; progress in between is counted. Empty type at the end of
    /// output.
    Message hear() {
        for (;;) {
            while (auto message = decoder_.next()) {
                if (message->type() != "progress") return std::move(*message);
                ++progress;
            }
            std::byte bytes[65536];
            const ssize_t n = read(from_[0], bytes, sizeof(bytes));
            if (n <= 0) return {};
            decoder_.feed({bytes, static_cast<std::size_t>(n)});
        }
    }
    /// Ends its input and gives its exit code.
    int end() {
        close(to_[1]);
        to_[1] = -1;
        int status = 0;
        waitpid(pid_, &status, 0);
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    int progress = 0;

  private:
    int to_[2] = {-1, -1}, from_[2] = {-1, -1};
    pid_t pid_ = -1;
    ks::wire::Decoder decoder_;
};

class WorkerTest : public testing::Test {
  protected:
    void SetUp() override {
        file_ = folder_ / "scan.h5";
        Hdf5Fixture file(file_);
        file.counts("data", {8, 6, 10}, [](std::size_t i) { return static_cast<std::uint16_t>(i * 7 % 11); });
        file.counts("qmask", {6, 10}, [](std::size_t i) { return static_cast<std::uint16_t>(i % 3); });
    }
    Message run_message(int job, const std::string& input) const {
        ks::Request request;
        request.analysis = "xpcs";
        request.variant = "host.reference";
        request.inputs["frames"] = {input};
        request.inputs["partition"] = {file_ + "::/qmask"};
        Message message = of_type("run");
        message.header["job"] = job;
        message.header["given"]["request"] = ks::to_json(request, &message.blobs);
        return message;
    }
    TemporaryFolder folder_;
    std::string file_;
};

TEST_F(WorkerTest, answers_catalogue_run_and_check) {
    Worker worker;
    worker.say(ks::wire::message_of(ks::wire::CatalogueJob{}, 1));
    const Message catalogue = worker.hear();
    ASSERT_EQ(catalogue.type(), "answer");
    const auto known = ks::wire::answer_from<ks::wire::CatalogueJob>(catalogue);
    ASSERT_FALSE(known.devices.empty());
    ASSERT_FALSE(known.analyses.empty());
    EXPECT_TRUE(known.offers.contains("xpcs"));

    worker.say(run_message(5, file_ + "::/data"));
    const Message done = worker.hear();
    ASSERT_EQ(done.type(), "answer") << done.header.dump();
    EXPECT_EQ(done.header.at("job"), 5);
    const auto run = ks::wire::answer_from<ks::wire::RunJob>(done);
    EXPECT_EQ(run.result.at("g2").values.shape(), (std::vector<std::size_t>{2, 8}));
    EXPECT_GT(worker.progress, 0);

    Message check = of_type("check");
    check.header["job"] = 6;
    check.header["given"]["run"] = ks::to_json(run, &check.blobs);
    check.header["given"]["mode"] = "full";
    worker.say(check);
    const Message verdict = worker.hear();
    ASSERT_EQ(verdict.type(), "answer") << verdict.header.dump();
    EXPECT_EQ(ks::wire::answer_from<ks::wire::CheckJob>(verdict).state, ks::Verdict::State::pass);
    EXPECT_EQ(worker.end(), 0);
}

TEST_F(WorkerTest, lives_on_after_a_request_that_fails) {
    Worker worker;
    worker.say(run_message(1, folder_ / "absent.h5"));
    const Message failed = worker.hear();
    ASSERT_EQ(failed.type(), "error");
    const ks::Error error = ks::wire::error_from(failed.header.at("error"));
    EXPECT_EQ(error.kind(), ks::ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("absent.h5"), std::string::npos);
    worker.say(run_message(2, file_ + "::/data"));
    EXPECT_EQ(worker.hear().type(), "answer");
    EXPECT_EQ(worker.end(), 0);
}

template <class... Jobs>
std::vector<const char*> names_of(std::tuple<Jobs...>*) {
    return {Jobs::name...};
}

TEST_F(WorkerTest, takes_every_kind_of_job_of_the_window) {
    for (const char* name : names_of(static_cast<ks::wire::WindowJobs*>(nullptr))) {
        Worker worker;
        worker.say(ks::wire::headed(name, 1));  // without the job's fields
        const Message answer = worker.hear();
        if (answer.type() != "error") continue;
        const std::string what = ks::wire::error_from(answer.header.at("error")).what();
        EXPECT_EQ(what.find("there is no job of the kind"), std::string::npos) << what;
        EXPECT_EQ(worker.end(), 0) << name;
    }
}

TEST_F(WorkerTest, ends_on_quit_and_at_the_end_of_input) {
    EXPECT_EQ(ks::tests::run_cli({"worker"}, text_of(of_type("quit"))).code, 0);
    EXPECT_EQ(ks::tests::run_cli({"worker"}).code, 0);
}

TEST_F(WorkerTest, tells_what_is_wrong_with_bytes_that_are_no_message) {
    const ks::tests::Outcome outcome = ks::tests::run_cli({"worker"}, "these bytes are no message at all");
    EXPECT_NE(outcome.code, 0);
    const std::vector<Message> answers = messages_in(outcome.out);
    ASSERT_NE(find(answers, "error"), nullptr);
}

}  // namespace
