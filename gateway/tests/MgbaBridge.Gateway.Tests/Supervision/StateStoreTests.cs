using MgbaBridge.Client.Protocol;
using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Tests.Support;
using Microsoft.Extensions.Logging.Abstractions;

namespace MgbaBridge.Gateway.Tests.Supervision;

public sealed class StateStoreTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("mgba-bridge-states-");
    private readonly ManualTime _time = new();
    private readonly List<DataFolder> _opened = [];

    [Fact]
    public void States_OfAnEarlierGateway_AreThereAgain()
    {
        var saved = Open().Save("before-the-boss", "1", State(1, 2, 3))!;
        CloseAll();
        var store = Open();
        Assert.Equal(saved, Assert.Single(store.All));
        Assert.Equal([1, 2, 3], store.Read(store.Find("BEFORE-the-boss")!));
        Assert.True(store.Delete(saved));
        Assert.False(store.Delete(saved));
        CloseAll();
        Assert.Empty(Open().All);
    }

    [Fact]
    public void AutomaticStates_BeyondTheLimit_ReplaceTheOldest()
    {
        var store = Open(new OwnedEmulatorOptions { KeptStates = 2 });
        store.Save("named", "1", State(0));
        for (byte number = 1; number <= 4; number++)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            Assert.NotNull(store.SaveAutomatic("1", "a", State(number)));
            store.SaveAutomatic("2", "b", State(number));
        }

        Assert.Equal([4, 3], store.AutomaticOf("a").Select(state => (int)store.Read(state)![0]));
        Assert.Equal(5, store.All.Count);
    }

    [Fact]
    public void AutomaticStates_OfAnotherRun_AreNotReplaced()
    {
        var store = Open(new OwnedEmulatorOptions { KeptStates = 2 });
        for (byte number = 1; number <= 4; number++)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            store.SaveAutomatic("1", number <= 2 ? "earlier" : "later", State(number));
        }

        Assert.Equal([2, 1], store.AutomaticOf("earlier").Select(state => (int)store.Read(state)![0]));
        Assert.Equal([4, 3, 2, 1], store.AutomaticOf("later", "earlier").Select(state => (int)store.Read(state)![0]));
    }

    [Fact]
    public void AutomaticStates_OfARunOfAnotherGateway_AreCopiedWithoutTheDamagedOnes()
    {
        var (first, second) = (Open(), Open());
        for (byte number = 1; number <= 3; number++)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            first.SaveAutomatic("1", number == 1 ? "other" : "ended", State(number));
        }

        File.WriteAllBytes(StateFile($"{first.AutomaticOf("ended")[0].Name}.state"), [9]);
        second.Adopt(first.Folder, ["ended"]);
        second.Adopt(first.Folder, ["ended"]);
        second.Adopt(Path.Combine(_folder.FullName, "none"), ["ended"]);
        Assert.Equal([2], second.Read(Assert.Single(second.All))!);
        Assert.Equal(first.AutomaticOf("ended")[1], Assert.Single(second.AutomaticOf("ended")));
        Assert.Equal(3, first.All.Count);
    }

    [Theory]
    [InlineData(-3_600)]
    [InlineData(3_600)]
    public void AutomaticStates_AfterTheClockWasSet_AreStillTheNewest(int seconds)
    {
        var store = Open(new OwnedEmulatorOptions { KeptStates = 2, MaxStates = 3 });
        store.Save("named", "1", State(0));
        store.SaveAutomatic("1", "a", State(1));
        _time.Advance(TimeSpan.FromSeconds(1));
        store.SaveAutomatic("1", "a", State(2));
        _time.AdjustTime(_time.GetUtcNow().AddSeconds(seconds));
        for (byte number = 3; number <= 5; number++)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            store.SaveAutomatic("1", "a", State(number));
            Assert.Equal([number, number - 1], store.AutomaticOf("a").Select(state => (int)store.Read(state)![0]));
        }
    }

    [Fact]
    public async Task States_AddedAtTheSameTime_DoNotReplaceEachOther()
    {
        var store = Open();
        var added = await Task.WhenAll(Enumerable.Range(1, 8).Select(number => Task.Run(() => store.Add("one", "1", State((byte)number), StateKind.Named, out var exists) is { } state ? state : exists ? null : throw new IOException())));
        var kept = Assert.Single(added.OfType<StoredState>());
        Assert.Equal(kept, store.Find("ONE"));
    }

    [Fact]
    public void States_BeyondTheLimits_TakeTheRoomOfNoOtherKind()
    {
        var options = new OwnedEmulatorOptions { MaxStates = 3 };
        var store = Open(options);
        Assert.NotNull(store.SaveAutomatic("1", "a", State(1)));
        for (byte number = 1; number <= 5; number++)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            Assert.NotNull(store.Save($"before save {number}", "1", State(number), StateKind.BeforeSave));
            Assert.NotNull(store.SaveAutomatic("1", "b", State(number)));
            Assert.Equal(number <= 3, store.Save($"named {number}", "1", State(number)) is not null);
        }

        Assert.NotNull(store.Save("named 3", "1", State(6)));
        string[] expected = ["before save 3", "before save 4", "before save 5", "named 1", "named 2", "named 3"];
        Assert.Equal(expected, store.All.Where(state => state.Kind != StateKind.Automatic).Select(state => state.Name).Order());
        Assert.Equal([5, 4, 3], store.AutomaticOf("b", "a").Select(state => (int)store.Read(state)![0]));

        CloseAll();
        store = Open(options);
        Assert.NotNull(store.Save("before save 6", "1", State(6), StateKind.BeforeSave));
        Assert.Equal(3, store.All.Count(state => state.Kind == StateKind.BeforeSave));

        CloseAll();
        store = Open(new OwnedEmulatorOptions { MaxStates = 10, MaxStateBytes = 10 });
        Assert.Null(store.Save("large", "1", State(new byte[8])));
        Assert.NotNull(store.Save("named 1", "1", State(new byte[7])));
    }

    /// <summary>A paused game takes no new states; its newest one is what it continues from.</summary>
    [Fact]
    public void AutomaticStates_BeyondTheLimits_LeaveTheNewestOfEachRunningEmulator()
    {
        var store = Open(new OwnedEmulatorOptions { MaxStates = 3 });
        IReadOnlyList<string> paused = ["paused"], first = ["first"], second = ["second"], tooMany = ["too many"];
        foreach (var runs in (IReadOnlyList<string>[])[paused, first, second])
        {
            store.BeginRuns(runs);
        }

        store.SaveAutomatic("1", "paused", State(1));
        for (byte number = 1; number <= 5; number++)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            Assert.NotNull(store.SaveAutomatic("2", "first", State(number)));
            Assert.NotNull(store.SaveAutomatic("3", "second", State(number)));
        }

        Assert.Equal([1, 5, 5], new[] { "paused", "first", "second" }.Select(run => (int)store.Read(Assert.Single(store.AutomaticOf(run)))![0]));
        Assert.Null(store.SaveAutomatic("4", "too many", State(1)));
        store.EndRuns(paused);
        store.BeginRuns(tooMany);
        Assert.NotNull(store.SaveAutomatic("4", "too many", State(1)));
        Assert.Empty(store.AutomaticOf("paused"));
    }

    /// <summary>A gateway was killed while it replaced a state: before what is known about the new one was written, or after.</summary>
    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 2)]
    public void State_WhoseReplacementWasInterrupted_IsTheOldOrTheNewOne(bool isDescribed, byte expected)
    {
        var store = Open();
        store.Save("boss", "1", State(1));
        var (bytes, description) = (File.ReadAllBytes(StateFile("boss.state")), File.ReadAllBytes(StateFile("boss.json")));
        store.Save("boss", "1", State(2));
        CloseAll();
        File.Move(StateFile("boss.state"), StateFile("boss.next"));
        File.WriteAllBytes(StateFile("boss.state"), bytes);
        if (!isDescribed)
        {
            File.WriteAllBytes(StateFile("boss.json"), description);
        }

        store = Open();
        Assert.Equal([expected], store.Read(Assert.Single(store.All))!);
        Assert.Equal(["boss.json", "boss.state"], Directory.GetFiles(Path.GetDirectoryName(StateFile("x"))!).Select(Path.GetFileName).Order());
    }

    /// <summary>There is no room for what is known about the new state, which is written after its bytes.</summary>
    [Fact]
    public void State_WhoseReplacementFails_Stays()
    {
        var store = Open();
        store.Save("boss", "1", State(1));
        Directory.CreateDirectory(StateFile("boss.json.tmp")); // in the way of the write
        Assert.ThrowsAny<Exception>(() => store.Save("boss", "1", State(2)));
        Assert.Equal([1], store.Read(store.Find("boss")!)!);
        Directory.Delete(StateFile("boss.json.tmp"));
        CloseAll();
        Assert.Equal([1], Open().Read(Assert.Single(store.All))!);
    }

    [Fact]
    public void State_WithDamagedFiles_IsSetAsideAndTheOthersStay()
    {
        var store = Open();
        store.Save("good", "1", State(1));
        var changed = store.Save("changed", "1", State(1, 2, 3))!;
        store.Save("cut", "1", State(1, 2, 3));
        store.Save("nonsense", "1", State(1));
        CloseAll();
        File.WriteAllBytes(StateFile("changed.state"), [1, 9, 3]);
        File.WriteAllBytes(StateFile("cut.state"), [1]);
        File.WriteAllText(StateFile("nonsense.json"), "{\"name\": 1");
        File.WriteAllText(StateFile("interrupted.json.tmp"), "{");
        File.WriteAllText(StateFile("no-description.state"), "");

        store = Open();
        Assert.Equal(["changed", "good"], store.All.Select(state => state.Name).Order());
        Assert.Null(store.Read(store.Find("changed")!));
        Assert.Null(store.Find("changed"));
        Assert.Null(store.CheckedFileOf(changed));
        Assert.Equal("good", Assert.Single(store.All).Name);
        Assert.Equal(
            ["changed.json.damaged", "changed.state.damaged", "cut.json.damaged", "cut.state.damaged", "good.json", "good.state", "nonsense.json.damaged", "nonsense.state.damaged"],
            Directory.GetFiles(Path.GetDirectoryName(StateFile("any"))!).Select(Path.GetFileName).Order(StringComparer.Ordinal));
    }

    [Theory]
    [InlineData("a", true)]
    [InlineData("\u0939\u093F\u0928\u094D\u0926\u0940 1", true)]
    [InlineData("\u0E20\u0E32\u0E29\u0E32\u0E44\u0E17\u0E22", true)]
    [InlineData("e\u0301te\u0301", true)]
    [InlineData("\u0301", false)]
    [InlineData("a\u202Eb", false)]
    [InlineData("Before.the_boss-2", true)]
    [InlineData("", false)]
    [InlineData(".hidden", false)]
    [InlineData("auto.1", false)]
    [InlineData("AUTO.1", false)]
    [InlineData("a/b", false)]
    [InlineData("Vor dem Höhleneingang 2", true)]
    [InlineData("ボス前", true)]
    [InlineData(" a", false)]
    [InlineData("a ", false)]
    [InlineData("a\tb", false)]
    [InlineData("a\u0308", true)]
    public void Name_OfAState_IsCheckedBeforeItBecomesAFile(string name, bool valid) => Assert.Equal(valid, StoredState.IsValidName(name));

    [Fact]
    public void DataFolder_OfTwoGateways_IsNotShared()
    {
        Open().Save("first", "1", State(1));
        var second = Open();
        second.Save("second", "1", State(1));
        Assert.Equal("second", Assert.Single(second.All).Name);
        Assert.True(Directory.Exists(Path.Combine(_folder.FullName, "2")));
    }

    [Fact]
    public void Comparison_OfTwoStates_ListsRunsByRegion()
    {
        var (first, second) = (new byte[0x61000], new byte[0x61000]);
        (second[0x21000], second[0x21003], second[0x21009], second[0x60FFF]) = (1, 2, 3, 4);
        var regions = StateComparison.Compare(first, second, "gba")!;
        var work = regions.Single(region => region.Name == "wram");
        Assert.Equal(4, work.Bytes);
        Assert.Equal([new DifferingRun(0, 4), new DifferingRun(9, 1), new DifferingRun(0x3FFFF, 1)], work.Runs);
        Assert.Equal(4, regions.Sum(region => region.Bytes));
        Assert.Null(StateComparison.Compare(first, [1, 2], "gba"));

        for (var at = 0x21000; at < 0x61000; at += 8)
        {
            second[at] = 1;
        }

        work = StateComparison.Compare(first, second, "gba")!.Single(region => region.Name == "wram");
        Assert.Equal(StateComparison.MaxRuns, work.Runs.Count);
        Assert.True(work.MoreRuns > 1_000);
    }

    public void Dispose()
    {
        CloseAll();
        _folder.Delete(recursive: true);
    }

    private StateStore Open(OwnedEmulatorOptions? options = null)
    {
        var data = new DataFolder(_folder.FullName, NullLogger<DataFolder>.Instance);
        _opened.Add(data);
        return new StateStore(options ?? new OwnedEmulatorOptions(), data, _time, NullLogger<StateStore>.Instance);
    }

    private void CloseAll() => _opened.ForEach(data => data.Dispose());

    private string StateFile(string name) => Path.Combine(_folder.FullName, "1", "states", name);

    private static TakenState State(params byte[] bytes) => new(bytes, new StoredGame("TITLE", "AGB-CODE", "gba", 1), 4711, new Epoch(1));
}
