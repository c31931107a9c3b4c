using MgbaBridge.Engines.Supervision;
using MgbaBridge.Gateway.Operations;
using MgbaBridge.Gateway.Operations.Emulators;
using MgbaBridge.Gateway.Operations.States;

namespace MgbaBridge.Gateway.Interfaces.Http;

/// <summary>Receives a ROM: the body goes to the disk as it arrives, and may be larger than those of other requests.</summary>
internal static class RomUploadEndpoint
{
    public static HandlerOperation<string, RomUploadedAnswer> Operation { get; } = new(RomOperations.Resource, "roms.upload", HttpMethods.Post, "/v2/roms", Access.Manage)
    {
        Request = Parameters.Of(Parameter.Text("name", $"The name of its file. {RomUploads.NameFormat}.").InQuery() with { Example = "game.gba" }),
        Run = UploadAsync,
        TakesUpload = true,
        IsHttpOnly = true,
        Summary = "Upload a ROM",
        Description = $"The body is a GBA, GB or GBC ROM of at most {RomUploads.MaxBytes} bytes, or a zip archive with one, of which only the ROM is used. It is kept until it is deleted, and can be started under the name in `rom`. "
            + "The same bytes under the same name are the same ROM.",
        Body = Content.Bytes(),
        ResponseExample = """{"rom":"game.gba","bytes":4194304,"isNew":true}""",
        Statuses =
        [
            (FailureKind.RomExists, "another ROM has the name."),
            FailureKind.TooLarge,
            (FailureKind.NotARom, "the bytes are no ROM of these consoles, or the zip archive does not have exactly one."),
            (FailureKind.MemoryFull, "`Bridge:Owned:MaxRomBytes` is reached."), (FailureKind.StoreFailed, "the folder cannot be written."),
        ],
    };

    private static async ValueTask<Result<RomUploadedAnswer>> UploadAsync(Invocation invocation, string name)
    {
        try
        {
            var uploads = invocation.Get<RomUploads>();
            var result = await uploads.AddAsync(name, invocation.Upload!, invocation.Cancelled);
            if (result.Rom is not { } rom)
            {
                return FailureOf(result.Failure!.Value, result.Detail!);
            }

            var running = invocation.Get<Supervisor>().All.FirstOrDefault(emulator => emulator.Request.Options.Patch is null && uploads.IsSame(rom.Name, emulator.Request.Rom));
            return new RomUploadedAnswer(rom.Name, rom.Bytes, rom.IsNew, running?.Client.Id, rom.LeftOut.Count > 0 ? rom.LeftOut : null);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException && !Problems.IsOfTheBody(exception) && !invocation.Cancelled.IsCancellationRequested)
        {
            return StoreOperations.StoreFailed(exception);
        }
    }

    private static Failure FailureOf(RomUploadFailure failure, string detail) => failure switch
    {
        RomUploadFailure.WrongName => Failure.BadRequest(detail),
        RomUploadFailure.TooLarge => new Failure(FailureKind.TooLarge, detail),
        RomUploadFailure.NameTaken => new Failure(FailureKind.RomExists, detail, new NextStep(RomOperations.Delete, "deletes it")),
        RomUploadFailure.Full => new Failure(FailureKind.MemoryFull, detail),
        _ => new Failure(FailureKind.NotARom, detail),
    };
}
