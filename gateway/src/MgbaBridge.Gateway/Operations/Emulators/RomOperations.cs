using MgbaBridge.Engines.Supervision;

namespace MgbaBridge.Gateway.Operations.Emulators;

/// <summary>The ROMs that can be started.</summary>
internal static class RomOperations
{
    private const int MaxRoms = 1_000;

    /// <summary>What the operations on ROMs have in common.</summary>
    internal static Resource Resource { get; } = new("Emulators", OwnedJson.Default) { UsesEmulator = false, IsPerEmulator = false };

    public static HandlerOperation<NoParameters, RomsAnswer> List { get; } = new(Resource, "roms.list", HttpMethods.Get, "/v2/roms", Access.Read)
    {
        Summary = "The ROMs that can be started",
        Description = $"GBA, GB and GBC files below `Bridge:Owned:RomFolders`, and those that were uploaded: at most {MaxRoms} of the first 20000 files. Symbolic links are skipped.",
        Request = Parameters.None,
        Run = static (invocation, _) => ValueTask.FromResult<Result<RomsAnswer>>(new RomsAnswer(
            invocation.Get<Supervisor>().Roms(MaxRoms), invocation.Get<Supervisor>().MisnamedRoms(MaxRoms) is { Count: > 0 } misnamed ? misnamed : null)),
        ResponseExample = """{"roms":["game.gba"]}""",
    };

    public static HandlerOperation<string, RomDeletedAnswer> Delete { get; } = new(Resource, "roms.delete", HttpMethods.Delete, "/v2/roms/{rom}", Access.Manage)
    {
        Summary = "Delete an uploaded ROM",
        Description = "What its game has saved stays, for when it is uploaded again. An emulator that runs it is not disturbed.",
        Request = Parameters.Of(Parameter.Text("rom", "The name of an uploaded ROM.") with { Example = "game.gba" }),
        Run = static (invocation, rom) => ValueTask.FromResult<Result<RomDeletedAnswer>>(
            invocation.Get<RomUploads>().Delete(rom) ? new RomDeletedAnswer(rom) : new Failure(FailureKind.NoSuchRom, $"No ROM was uploaded as {rom}.", new NextStep(List, "lists all ROMs"))),
        ResponseExample = """{"rom":"game.gba"}""",
        Statuses = [(FailureKind.NoSuchRom, "no ROM was uploaded under this name.")],
    };

    /// <summary>All of them, without the upload, which only HTTP has.</summary>
    public static IReadOnlyList<Operation> All { get; } = [List, Delete];
}
